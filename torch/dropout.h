// Dropout whose numbers are our own (draw.h): the same on every device, for any number of threads and with
// any version of torch. A key gives one sequence of numbers; each call takes the next ones of it.
#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace capella::plugin {

/// The upper halves of the numbers `begin` ... `begin + count - 1` that a key gives, by torch's operations:
/// what a GPU computes.
torch::Tensor drawn_by_torch(std::uint64_t key, std::int64_t begin, std::int64_t count, torch::Device device);

class Dropout {
 public:
  /// Drops nothing.
  Dropout() = default;
  Dropout(double share, std::uint64_t key) : share_(share), key_(key) {}

  /// Numbers are 0 with the probability `share`, else scaled so that the mean stays.
  torch::Tensor operator()(const torch::Tensor& values);

  /// For each of `count` numbers whether it is dropped, with a probability of its own.
  torch::Tensor dropped(std::int64_t count, double share, torch::Device device);

 private:
  torch::Tensor draws(std::int64_t count, torch::Device device);

  double share_ = 0;
  std::uint64_t key_ = 0;
  std::int64_t next_ = 0;  // of the sequence
  torch::Tensor pool_;     // on a GPU: numbers drawn ahead, many at once
  std::int64_t pool_begin_ = 0;
};

}  // namespace capella::plugin
