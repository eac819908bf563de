// Matrices of numbers from files of other programs: NumPy's .npy and MATLAB's .mat (version 5). They bring
// one feature vector per image.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella::io {

struct Matrix {
  std::string source;  ///< how messages name it
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> values;  ///< row after row

  std::span<const float> row(std::size_t k) const { return std::span(values).subspan(k * columns, columns); }
};

/// The matrix of a file, whose kind is recognised by its content. Throws FileError that names the file and
/// what is wrong: another kind or version, other numbers, a file that was cut short. `variable` is for .mat
/// files, see mat_matrix().
Matrix read_matrix(const std::string& path, std::string_view variable = "");

/// An array of one dimension or two.
struct NumberArray {
  std::vector<std::size_t> shape;
  std::vector<float> values;  ///< in C order
};

/// An array of one or two dimensions of float16, float32 or float64, little-endian, from the bytes of an .npy
/// file. `path` is for errors.
NumberArray npy_array(std::string_view bytes, const std::string& path);

/// A two-dimensional array of float16, float32 or float64, little-endian, in C or Fortran order, from the
/// bytes of an .npy file of version 1, 2 or 3. `path` is for errors.
Matrix npy_matrix(std::string_view bytes, const std::string& path);

/// A variable of single or double numbers from the bytes of a MATLAB 5 file; if none is named, `feats`, or
/// the only one. Each COLUMN of the variable becomes a row: that is how files of image features are laid out.
Matrix mat_matrix(std::string_view bytes, const std::string& path, std::string_view variable = "");

}  // namespace capella::io
