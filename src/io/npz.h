// Named arrays in one file: NumPy's .npz, a zip archive of .npy files. numpy.load reads what is written here;
// what numpy.savez and numpy.savez_compressed write is read.
#pragma once

#include <map>
#include <string>

#include "io/array_file.h"

namespace capella::io {

/// By name; a name may hold "/" and spaces.
using NamedArrays = std::map<std::string, NumberArray, std::less<>>;

/// Arrays of one or two dimensions. Throws FileError that names the file and the array: no archive, damaged,
/// not of floats.
NamedArrays read_npz(const std::string& path);

/// As float32, not packed; the same arrays give the same bytes. The file appears whole or not at all.
void write_npz(const std::string& path, const NamedArrays& arrays);

}  // namespace capella::io
