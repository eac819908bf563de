#include "torch/attention.h"

#include <cmath>
#include <limits>

#include <torch/version.h>

namespace capella::plugin {

torch::Tensor attention_weights(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& mask,
                                bool causal) {
  const double scale = 1 / std::sqrt(static_cast<double>(q.size(-1)));
  torch::Tensor scores = torch::matmul(q * scale, k.transpose(-2, -1));
  if (mask.defined()) scores = scores + mask;
  if (causal) {
    const auto hidden =
        torch::ones({q.size(-2), k.size(-2)}, torch::TensorOptions(q.device()).dtype(torch::kBool));
    scores = scores.masked_fill(hidden.triu(1), -std::numeric_limits<double>::infinity());
  }
  return torch::softmax(scores, -1);
}

torch::Tensor attend(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                     const torch::Tensor& mask, bool causal) {
#if TORCH_VERSION_MAJOR >= 2
  if (mask.defined()) return at::scaled_dot_product_attention(q, k, v, mask, 0.0, false);
  return at::scaled_dot_product_attention(q, k, v, {}, 0.0, causal);
#else
  return torch::matmul(attention_weights(q, k, mask, causal), v);
#endif
}

}  // namespace capella::plugin
