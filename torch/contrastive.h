// What is learnt where things of two kinds belong together in pairs: each is to be told from the others.
#pragma once

#include <torch/torch.h>

namespace capella::plugin {

/// Rows brought to the length 1.
torch::Tensor directions(const torch::Tensor& rows);

/// Pairs of a batch, other than each with itself, that belong together as well, [n][n]: of one image, or with
/// an equal caption. `images` [n] and `captions` [n][captions of each] are numbers, the same for the same.
torch::Tensor also_together(const torch::Tensor& images, const torch::Tensor& captions);

/// Row i and column i belong together. What it takes, on average, to tell each row's column from the others
/// by `logits` [n][n]; pairs that are marked in `together` do not count as others.
torch::Tensor row_loss(const torch::Tensor& logits, const torch::Tensor& together);

/// The mean of that and of what it takes to tell each column's row.
torch::Tensor contrastive_loss(const torch::Tensor& logits, const torch::Tensor& together);

}  // namespace capella::plugin
