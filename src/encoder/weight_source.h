// Where the arrays of a network come from: the folder of a model, or a network that is in memory already.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "capella/error.h"

#include "tensor/safetensors.h"

namespace capella::encoder {

class WeightSource {
 public:
  virtual ~WeightSource() = default;

  /// For errors.
  virtual const std::string& path() const = 0;
  virtual bool has(std::string_view name) const = 0;
  /// Throws FileError that names file, array, shape found and shape expected.
  virtual std::vector<float> floats(std::string_view name, const tensor::Shape& shape) const = 0;

  /// Throws FileError: the path, then `what`.
  [[noreturn]] void reject(const std::string& what) const { throw FileError(path() + ": " + what); }
};

}  // namespace capella::encoder
