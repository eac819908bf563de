// Attention of a few queries to a few keys, with what the version of torch at hand has for it.
#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace capella::plugin {

/// softmax(q k^T / sqrt(width) + mask) v for q [..., queries, width], k and v [..., keys, width]. `mask` is
/// added (-inf: not seen), has the type of q and a shape that fits [..., queries, keys]; or it is undefined.
/// With `causal` a query sees the keys up to its own place; there is no mask then.
torch::Tensor attend(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                     const torch::Tensor& mask, bool causal);

/// Sequences that are taken as one, with a mask between them: a GPU's kernels work on whole tiles of tokens,
/// and captions are far shorter than those.
struct Fold {
  std::int64_t together = 1;
  torch::Tensor mask;  ///< [together * queries][together * keys], as of attend(); undefined: all is seen
};
/// So many sequences of so many queries and keys as one; with `causal`, each query sees the keys up to its
/// own place.
Fold folded(std::int64_t together, std::int64_t queries, std::int64_t keys, bool causal,
            const torch::TensorOptions& like);
/// For `count` sequences: as many as fit into a tile on a GPU, each by itself elsewhere.
Fold fold_of(std::int64_t count, std::int64_t queries, std::int64_t keys, bool causal,
             const torch::TensorOptions& like);

/// Attention within `count` sequences of equal length that lie one behind the other: `q` is [count *
/// queries][width], `k` and `v` are [count * keys][width], and what comes out is like `q`. The width is
/// shared among `heads`. `causal` as in attend(); where there is a fold with a mask, the mask tells.
torch::Tensor attend_rows(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                          std::int64_t count, std::int64_t heads, const Fold& fold, bool causal);

/// The weights of the values, softmax(...) above, for whoever wants to change them.
torch::Tensor attention_weights(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& mask,
                                bool causal);

}  // namespace capella::plugin
