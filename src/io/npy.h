// Arrays to NumPy's .npy files (format 1.0).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace capella::io {

/// The header of a float32 array of `rows` x `columns` in C order, byte for byte as numpy.save writes it.
std::string npy_header(std::size_t rows, std::size_t columns);

/// The same for an array of one dimension.
std::string npy_header(std::size_t length);

/// The whole file; values.size() is rows x columns.
std::string npy_bytes(std::span<const float> values, std::size_t rows, std::size_t columns);

}  // namespace capella::io
