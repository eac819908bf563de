// A network's arrays in memory: for tests, and as a file.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/weight_source.h"
#include "tensor/safetensors.h"

namespace capella::test {

class MemoryWeights : public encoder::WeightSource {
 public:
  const std::string& path() const override { return path_; }
  bool has(std::string_view name) const override { return arrays_.contains(name); }
  std::vector<float> floats(std::string_view name, const tensor::Shape& shape) const override {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) reject("there is no tensor '" + std::string(name) + "'");
    if (found->second.shape != shape) reject("tensor '" + std::string(name) + "' has another shape");
    return found->second.values;
  }

  void set(const std::string& name, tensor::Shape shape, std::vector<float> values) {
    arrays_[name] = {std::move(shape), std::move(values)};
  }
  void erase(const std::string& name) { arrays_.erase(name); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& array : arrays_) all.push_back(array.first);
    return all;
  }
  const tensor::Shape& shape(const std::string& name) const { return arrays_.at(name).shape; }
  const std::vector<float>& values(const std::string& name) const { return arrays_.at(name).values; }

  /// Numbers around `middle`, `deviation` apart.
  void fill(const std::string& name, tensor::Shape shape, std::mt19937_64& random, float deviation,
            float middle = 0.0f) {
    std::size_t count = 1;
    for (const std::size_t size : shape) count *= size;
    std::vector<float> values(count);
    for (float& value : values)
      value = middle + deviation * (static_cast<float>(random() % 2'000'001) / 1'000'000.0f - 1.0f);
    set(name, std::move(shape), std::move(values));
  }
  /// NAME.weight and NAME.bias of a linear map that keeps the size of its inputs.
  void fill_linear(const std::string& name, std::size_t outputs, std::size_t inputs,
                   std::mt19937_64& random) {
    const float deviation = 1.7f / std::sqrt(static_cast<float>(inputs));
    fill(name + ".weight", {outputs, inputs}, random, deviation);
    fill(name + ".bias", {outputs}, random, 0.5f);
  }
  /// ... of a layer norm.
  void fill_norm(const std::string& name, std::size_t width, std::mt19937_64& random) {
    fill(name + ".weight", {width}, random, 0.5f, 1.0f);
    fill(name + ".bias", {width}, random, 0.5f);
  }

  /// As a file in the safetensors format.
  std::string bytes(const tensor::Metadata& metadata = {}) const {
    std::vector<tensor::NamedTensor> tensors;
    for (const auto& [name, array] : arrays_)
      tensors.push_back(tensor::named_tensor<float>(name, array.shape, array.values));
    return tensor::safetensors_bytes(tensors, metadata);
  }

 private:
  struct Array {
    tensor::Shape shape;
    std::vector<float> values;
  };
  std::string path_ = "memory";
  std::map<std::string, Array, std::less<>> arrays_;
};

}  // namespace capella::test
