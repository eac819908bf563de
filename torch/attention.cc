#include "torch/attention.h"

#include <cmath>
#include <limits>

#include <torch/version.h>

namespace capella::plugin {
namespace {

constexpr std::int64_t kTile = 64;      // tokens that a GPU's kernel takes at once
constexpr std::int64_t kAlignment = 8;  // numbers; rows of a mask begin at multiples of it

// Rows [count * length][width] to [count][heads][length][width / heads].
torch::Tensor by_heads(const torch::Tensor& rows, std::int64_t count, std::int64_t heads) {
  return rows.unflatten(0, {count, rows.size(0) / count}).unflatten(2, {heads, -1}).transpose(1, 2);
}

// Back again.
torch::Tensor by_rows(const torch::Tensor& read) {
  return read.transpose(1, 2).reshape({read.size(0) * read.size(2), read.size(1) * read.size(3)});
}

}  // namespace

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

Fold folded(std::int64_t together, std::int64_t queries, std::int64_t keys, bool causal,
            const torch::TensorOptions& like) {
  if (together == 1) return {};
  const std::int64_t columns = together * keys;
  const std::int64_t stride = (columns + kAlignment - 1) / kAlignment * kAlignment;
  const auto numbers = [&](std::int64_t size) { return torch::arange(size, like.dtype(torch::kInt64)); };
  const torch::Tensor row = numbers(together * queries).unsqueeze(1), column = numbers(stride);
  const auto sequence = [](const torch::Tensor& place, std::int64_t length) {
    return torch::div(place, length, "floor");
  };
  torch::Tensor seen = sequence(row, queries) == sequence(column, keys);
  if (causal) seen = seen.logical_and(column.remainder(keys) <= row.remainder(queries));
  const torch::Tensor mask = torch::zeros({row.size(0), stride}, like)
                                 .masked_fill_(seen.logical_not(), -std::numeric_limits<float>::infinity());
  return {together, mask.narrow(1, 0, columns)};
}

Fold fold_of(std::int64_t count, std::int64_t queries, std::int64_t keys, bool causal,
             const torch::TensorOptions& like) {
  std::int64_t together = 1;
  if (like.device().is_cuda()) {
    while (2 * together * keys <= kTile && 2 * together <= count) together *= 2;
  }
  return folded(together, queries, keys, causal, like);
}

torch::Tensor attend_rows(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                          std::int64_t count, std::int64_t heads, const Fold& fold, bool causal) {
  const std::int64_t folded = count - count % fold.together;
  const auto part = [&](std::int64_t begin, std::int64_t sequences, const Fold& as) {
    const auto cut = [&](const torch::Tensor& rows) {
      const std::int64_t length = rows.size(0) / count;
      return by_heads(rows.narrow(0, begin * length, sequences * length), sequences / as.together, heads);
    };
    return by_rows(attend(cut(q), cut(k), cut(v), as.mask, causal && !as.mask.defined()));
  };
  if (folded == count) return part(0, count, fold);
  const torch::Tensor rest = part(folded, count - folded, {});
  return folded == 0 ? rest : torch::cat({part(0, folded, fold), rest});
}

}  // namespace capella::plugin
