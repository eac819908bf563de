// Linear maps that learn low-rank updates of their matrices (LoRA), W + scale B A.
//
// The sum is made once for each step, so a product with it costs what it costs without an update. Gradients
// go past the matrix straight to A and B, through as few numbers as the update has ranks: a gradient of the
// whole matrix would cost as much as the product itself.
#pragma once

#include <torch/torch.h>

namespace capella::plugin {

struct LowRank {
  torch::Tensor first;   ///< A, [rank][inputs], float; undefined: nothing is learnt
  torch::Tensor second;  ///< B, [outputs][rank], float
  double scale = 1;

  /// The update of so many rows of the matrix.
  LowRank rows(std::int64_t begin, std::int64_t count) const;
};

/// rows W^T + bias. `weight` is the sum already, in the type of `rows`, and needs no gradient if there is an
/// update.
torch::Tensor product(const torch::Tensor& rows, const torch::Tensor& weight, const torch::Tensor& bias,
                      const LowRank& update);

}  // namespace capella::plugin
