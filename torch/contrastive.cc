#include "torch/contrastive.h"

#include <limits>

namespace capella::plugin {

torch::Tensor directions(const torch::Tensor& rows) {
  return rows / rows.norm(2, 1, true);
}

torch::Tensor also_together(const torch::Tensor& images, const torch::Tensor& captions) {
  const auto equal = [](const torch::Tensor& rows, const torch::Tensor& columns) {
    return rows.unsqueeze(1) == columns.unsqueeze(0);
  };
  torch::Tensor marks = equal(images, images);
  for (std::int64_t i = 0; i < captions.size(1); ++i) {
    for (std::int64_t j = 0; j < captions.size(1); ++j)
      marks.logical_or_(equal(captions.select(1, i), captions.select(1, j)));
  }
  return marks.fill_diagonal_(false);
}

torch::Tensor row_loss(const torch::Tensor& logits, const torch::Tensor& together) {
  const torch::Tensor seen = logits.masked_fill(together, -std::numeric_limits<double>::infinity());
  const torch::Tensor right =
      torch::arange(seen.size(0), torch::TensorOptions(seen.device()).dtype(torch::kInt64));
  return torch::cross_entropy_loss(seen, right);
}

torch::Tensor contrastive_loss(const torch::Tensor& logits, const torch::Tensor& together) {
  return (row_loss(logits, together) + row_loss(logits.t(), together.t())) / 2;
}

}  // namespace capella::plugin
