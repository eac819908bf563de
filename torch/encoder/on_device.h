// Arrays that came in, on the device.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "capella/error.h"

#include "tensor/network_array.h"
#include "torch/boundary.h"
#include "torch/encoder/models.h"

namespace capella::plugin::encoder {

class OnDevice {
 public:
  /// Throws DataError if an array has another number of numbers than its shape says.
  OnDevice(const std::vector<tensor::NetworkArray>& arrays, torch::Device device) : device_(device) {
    for (const tensor::NetworkArray& array : arrays) {
      std::size_t count = 1;
      for (const std::size_t extent : array.shape) count *= extent;
      if (count != array.values.size())
        throw DataError("array '" + array.name + "' has " + std::to_string(array.values.size()) +
                        " numbers, but the shape " + spelled(array.shape));
      by_name_[array.name] = &array;
    }
  }

  /// Copies an array each time it is asked for.
  FindArray finder() const {
    return [this](const std::string& name) {
      const auto found = by_name_.find(name);
      return found == by_name_.end() ? Tensor() : tensor_of(*found->second).to(device_);
    };
  }

 private:
  torch::Device device_;
  std::map<std::string, const tensor::NetworkArray*> by_name_;
};

}  // namespace capella::plugin::encoder
