// The arrays that a network learns, all in one block of memory, as are their gradients: an optimiser then
// takes its step with a few operations on the whole block instead of a few on each array.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <torch/torch.h>

namespace capella::plugin {

struct NamedWeight {
  std::string name;
  torch::Tensor value;
};

class Weights {
 public:
  Weights() = default;
  /// `first` are the arrays as they start, on the CPU.
  Weights(const std::vector<NamedWeight>& first, torch::Device device);

  /// Copies of all arrays in another type, without gradients.
  Weights copied_as(torch::ScalarType type) const;

  /// The array of that name, which must be there.
  const torch::Tensor& operator[](const std::string& name) const { return by_name_.at(name); }
  bool has(const std::string& name) const { return by_name_.contains(name); }

  /// In the order in which they were given.
  const std::vector<NamedWeight>& arrays() const { return arrays_; }
  torch::Device device() const { return block_.device(); }
  torch::ScalarType type() const { return block_.scalar_type(); }

  /// All numbers, and some between arrays that stay 0.
  const torch::Tensor& block() const { return block_; }
  const torch::Tensor& gradients() const { return gradients_; }
  /// So many numbers at the beginning of the block belong to arrays of two and more dimensions.
  std::int64_t matrix_numbers() const { return matrix_numbers_; }
  /// Another block of this layout, cut into arrays.
  std::vector<NamedWeight> cut(const torch::Tensor& block) const;

 private:
  void lay_out(const std::vector<NamedWeight>& first);

  std::vector<NamedWeight> arrays_;
  std::map<std::string, torch::Tensor> by_name_;
  std::vector<std::int64_t> begins_;  // in the block, of each array
  std::int64_t matrix_numbers_ = 0;
  torch::Tensor block_;
  torch::Tensor gradients_;
};

/// Collects arrays as they are before training. The same seed gives the same numbers on every device.
class FirstWeights {
 public:
  explicit FirstWeights(std::uint64_t seed) : seed_(seed) {}

  /// Numbers between -bound and bound, each as likely.
  void uniform(const std::string& name, const std::vector<std::int64_t>& shape, double bound);
  void normal(const std::string& name, const std::vector<std::int64_t>& shape, double deviation);
  void constant(const std::string& name, const std::vector<std::int64_t>& shape, double value);
  /// "NAME.weight" and "NAME.bias" as torch's linear layers start.
  void linear(const std::string& name, std::int64_t outputs, std::int64_t inputs);
  /// "NAME.weight" of ones and "NAME.bias" of zeros.
  void norm(const std::string& name, std::int64_t width);
  /// Copies of all arrays whose names begin with `from`, under names that begin with `to`.
  void copies(const std::string& from, const std::string& to);

  const std::vector<NamedWeight>& arrays() const { return arrays_; }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  std::vector<NamedWeight> arrays_;
};

}  // namespace capella::plugin
