#include "encoder/transformer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace capella::encoder {
namespace {

using tensor::After;
using tensor::Kernels;
using tensor::reserve;

// Rows of a layer that are computed together: enough to use a weight often, few enough to stay in the cache.
constexpr std::size_t kRowsTogether = 256;

void copy_row(const float* from, std::size_t width, float* to) {
  std::copy_n(from, width, to);
}

}  // namespace

// One layer for a group of sequences.
class Transformer::Pass {
 public:
  Pass(const Transformer& model, const Kernels& kernels, Workspace& work)
      : model_(model), shape_(model.shape_), width_(shape_.width), kernels_(kernels), work_(work) {}

  // `rows` are those of all sequences; only those of the group are changed.
  void run(const Layer& layer, std::size_t begin, std::span<const std::size_t> ends, float* rows) {
    const std::size_t count = ends.back() - begin;
    float* const own = rows + begin * width_;
    const LayerRows input = {attention_input(layer, own, count), width_, count};
    const std::size_t attention = model_.attention_width();
    float* query = reserve(work_.query, count * attention);
    layer.query.prepare(kernels_, input, work_.split);  // for key and value, too
    layer.query.apply(kernels_, input, work_.split, query, attention, After::kStore);
    const float* key_value = keys_and_values(layer, input);
    float* context = reserve(work_.context, count * attention);
    std::size_t first = 0;
    for (const std::size_t end : ends) {
      const std::size_t length = end - begin - first;
      attend(query + first * attention, length, key_value + 2 * first * attention, length,
             context + first * attention);
      first += length;
    }
    apply(layer.out, {context, attention, count}, own, width_, After::kAdd);
    finish(layer, own, count);
  }

  // Only for the rows that are read, one in each sequence.
  void read(const Layer& layer, std::size_t begin, std::span<const std::size_t> ends,
            std::span<const std::size_t> read, const float* rows, float* out) {
    const std::size_t attention = model_.attention_width();
    const float* own = rows + begin * width_;
    const std::size_t count = ends.back() - begin;
    const LayerRows input = {attention_input(layer, own, count), width_, count};
    layer.key_value.prepare(kernels_, input, work_.split);
    const float* key_value = keys_and_values(layer, input);
    for (std::size_t k = 0; k < read.size(); ++k)
      copy_row(input.rows + (read[k] - begin) * width_, width_, out + k * width_);
    float* query = reserve(work_.query, read.size() * attention);
    apply(layer.query, {out, width_, read.size()}, query, attention, After::kStore);
    float* context = reserve(work_.context, read.size() * attention);
    for (std::size_t k = 0; k < read.size(); ++k) {
      const std::size_t first = k == 0 ? begin : ends[k - 1];
      const std::size_t seen = (shape_.causal ? read[k] + 1 : ends[k]) - first;
      attend(query + k * attention, 1, key_value + 2 * (first - begin) * attention, seen,
             context + k * attention);
      copy_row(rows + read[k] * width_, width_, out + k * width_);
    }
    apply(layer.out, {context, attention, read.size()}, out, width_, After::kAdd);
    finish(layer, out, read.size());
  }

 private:
  void apply(const LayerLinear& map, const LayerRows& rows, float* out, std::size_t out_stride, After after) {
    map.prepare(kernels_, rows, work_.split);
    map.apply(kernels_, rows, work_.split, out, out_stride, after);
  }

  const float* attention_input(const Layer& layer, const float* rows, std::size_t count) {
    return shape_.norm == NormPlace::kBefore ? normed(layer.first_norm, rows, count) : rows;
  }

  const float* normed(const tensor::FloatNorm& norm, const float* rows, std::size_t count) {
    float* out = reserve(work_.normed, count * width_);
    norm.apply(kernels_, rows, width_, count, out, width_);
    return out;
  }

  // Of rows that are prepared.
  const float* keys_and_values(const Layer& layer, const LayerRows& input) {
    const std::size_t stride = 2 * model_.attention_width();
    float* out = reserve(work_.key_value, input.count * stride);
    layer.key_value.apply(kernels_, input, work_.split, out, stride, After::kStore);
    return out;
  }

  void attend(const float* query, std::size_t queries, const float* key_value, std::size_t positions,
              float* out) {
    const std::size_t attention = model_.attention_width(), head = model_.head_stride();
    float* scratch = reserve(work_.scores, tensor::attention_scratch(queries, positions, head));
    const float scale = 1.0f / std::sqrt(static_cast<float>(width_ / shape_.heads));
    for (std::size_t at = 0; at < attention; at += head) {
      kernels_.attend({.query = query + at,
                       .query_stride = attention,
                       .queries = queries,
                       .key = key_value + at,
                       .value = key_value + attention + at,
                       .stride = 2 * attention,
                       .positions = positions,
                       .width = head,
                       .scale = scale,
                       .causal = shape_.causal,
                       .out = out + at,
                       .out_stride = attention,
                       .scratch = scratch});
    }
  }

  // What comes behind attention; a row at a time would give the same.
  void finish(const Layer& layer, float* rows, std::size_t count) {
    const bool after = shape_.norm == NormPlace::kAfter;
    if (after) layer.first_norm.apply(kernels_, rows, width_, count, rows, width_);
    const float* input = after ? rows : normed(layer.second_norm, rows, count);
    const std::size_t inner_width = layer.up.stride();
    float* inner = reserve(work_.inner, count * inner_width);
    apply(layer.up, {input, width_, count}, inner, inner_width, shape_.activation);
    apply(layer.down, {inner, inner_width, count}, rows, width_, After::kAdd);
    if (after) layer.second_norm.apply(kernels_, rows, width_, count, rows, width_);
  }

  const Transformer& model_;
  const TransformerShape& shape_;
  const std::size_t width_;
  const Kernels& kernels_;
  Workspace& work_;
};

namespace {

// Calls work(first sequence, sequences, first row) for groups of about kRowsTogether rows.
template <class Work>
void for_each_group(std::span<const std::size_t> ends, Work work) {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < ends.size();) {
    std::size_t last = k + 1;
    while (last < ends.size() && ends[last] - begin <= kRowsTogether) ++last;
    work(k, last - k, begin);
    begin = ends[last - 1];
    k = last;
  }
}

}  // namespace

void Transformer::run(const Kernels& kernels, std::span<const std::size_t> ends, std::size_t layers,
                      float* rows, const AfterLayer& after, Workspace& work) const {
  assert(layers <= layers_.size());
  Pass pass(*this, kernels, work);
  if (after) after(0, rows, width());
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for_each_group(ends, [&](std::size_t first, std::size_t count, std::size_t begin) {
      pass.run(layers_[layer], begin, ends.subspan(first, count), rows);
    });
    if (after) after(layer + 1, rows, width());
  }
}

void Transformer::run_and_read(const Kernels& kernels, std::span<const std::size_t> ends,
                               std::span<const std::size_t> read, float* rows, float* out,
                               Workspace& work) const {
  assert(read.size() == ends.size() && !layers_.empty());
  Pass pass(*this, kernels, work);
  for_each_group(ends, [&](std::size_t first, std::size_t count, std::size_t begin) {
    const std::span<const std::size_t> own = ends.subspan(first, count);
    for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer)
      pass.run(layers_[layer], begin, own, rows);
    pass.read(layers_.back(), begin, own, read.subspan(first, count), rows, out + first * width());
  });
}

}  // namespace capella::encoder
