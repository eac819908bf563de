// Attention of a few queries to a few keys, with what the version of torch at hand has for it.
#pragma once

#include <torch/torch.h>

namespace capella::plugin {

/// softmax(q k^T / sqrt(width) + mask) v for q [..., queries, width], k and v [..., keys, width]. `mask` is
/// added (-inf: not seen), has the type of q and a shape that fits [..., queries, keys]; or it is undefined.
/// With `causal` a query sees the keys up to its own place; there is no mask then.
torch::Tensor attend(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                     const torch::Tensor& mask, bool causal);

/// The weights of the values, softmax(...) above, for whoever wants to change them.
torch::Tensor attention_weights(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& mask,
                                bool causal);

}  // namespace capella::plugin
