// Products with weights that stay, when a network is asked.
//
// On the CPU they are made by Capella's own kernel. BLAS has other kernels for other processors, whose sums
// differ in their last bits; some of them add a row up in another order when it is at another place of the
// batch, or a column when it is at another place of the matrix, so that words with equal weights get unequal
// scores. Here the same row and the same column give the same bits everywhere.
#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace capella::plugin {

using torch::Tensor;

/// y = x W + b.
class LinearMap {
 public:
  LinearMap() = default;
  /// `weight` is [inputs][outputs], both multiples of tensor::kLanes; `bias` is [outputs].
  LinearMap(const Tensor& weight, const Tensor& bias);
  /// Without a bias.
  explicit LinearMap(const Tensor& weight);

  std::int64_t inputs() const { return inputs_; }
  std::int64_t outputs() const { return bias_.size(0); }

  /// Maps rows [count][inputs] to `out`, [count][outputs]. On the CPU torch's threads share the rows.
  void apply(const Tensor& rows, Tensor out) const;
  Tensor operator()(const Tensor& rows) const;

 private:
  std::int64_t inputs_ = 0;
  Tensor weight_;  // on the CPU packed by tensor::pack_panels, else [inputs][outputs]
  Tensor bias_;    // [outputs]
};

}  // namespace capella::plugin
