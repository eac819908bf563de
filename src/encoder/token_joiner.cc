#include "encoder/token_joiner.h"

#include <algorithm>

#include <fmt/format.h>

namespace capella::encoder {
namespace {

using tensor::After;
using tensor::Kernels;

constexpr float kEpsilon = 1e-5f;  // of layer norms
constexpr std::size_t kJoinedRows = 256;

LayerNames layer_names(const std::string& layer) {
  return {.query = {},
          .key = {},
          .value = {},
          .in_projection = layer + "self_attn.in_proj",
          .out = layer + "self_attn.out_proj",
          .first_norm = layer + "norm1",
          .up = layer + "linear1",
          .down = layer + "linear2",
          .second_norm = layer + "norm2"};
}

TransformerShape transformer_shape(const JoinerShape& shape) {
  return {.width = shape.width,
          .heads = shape.heads,
          .inner = shape.inner,
          .norm = NormPlace::kAfter,
          .activation = After::kRelu,
          .epsilon = kEpsilon,
          .causal = false};
}

}  // namespace

TokenJoiner::TokenJoiner(const WeightSource& source, const JoinerShape& shape, const std::string& name,
                         const std::string& own)
    : shape_(shape) {
  std::vector<LayerNames> names;
  for (std::size_t layer = 0; layer < shape.layers; ++layer)
    names.push_back(layer_names(fmt::format("{}.layers.{}.", name, layer)));
  if (shape.attention) {
    const std::vector<float> values = source.floats(own, {1, 1, shape.width});
    own_.assign(values.begin(), values.end());
    transformer_ = Transformer(source, transformer_shape(shape), names);
    return;
  }
  check_shape(source, transformer_shape(shape));
  for (const LayerNames& layer : names) {
    layers_.push_back({read_linear(source, layer.up, shape.inner, shape.width),
                       read_linear(source, layer.down, shape.width, shape.inner),
                       read_norm(source, layer.second_norm, shape.width, kEpsilon)});
  }
}

void TokenJoiner::join(const Kernels& kernels, std::span<const std::size_t> ends, float* rows, float* out,
                       Workspace& work) const {
  if (!shape_.attention) return average(kernels, ends, rows, out, work);
  std::vector<std::size_t> read(ends.size());
  if (!ends.empty()) std::copy(ends.begin(), ends.end() - 1, read.begin() + 1);
  transformer_.run_and_read(kernels, ends, read, rows, out, work);
}

void TokenJoiner::average(const Kernels& kernels, std::span<const std::size_t> ends, float* rows, float* out,
                          Workspace& work) const {
  const std::size_t width = shape_.width, all = ends.empty() ? 0 : ends.back();
  for (std::size_t first = 0; first < all; first += kJoinedRows) {
    const std::size_t count = std::min(kJoinedRows, all - first);
    float* const some = rows + first * width;
    for (const Layer& layer : layers_) {
      float* inner = tensor::reserve(work.inner, count * layer.up.stride());
      layer.up.apply(kernels, some, width, count, inner, layer.up.stride(), After::kRelu);
      layer.down.apply(kernels, inner, layer.up.stride(), count, some, width, After::kAdd);
      layer.norm.apply(kernels, some, width, count, some, width);
    }
  }
  std::vector<double> sum(width);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const std::size_t begin = k == 0 ? 0 : ends[k - 1];
    std::ranges::fill(sum, 0.0);
    for (std::size_t row = begin; row < ends[k]; ++row) {
      for (std::size_t i = 0; i < width; ++i) sum[i] += static_cast<double>(rows[row * width + i]);
    }
    for (std::size_t i = 0; i < width; ++i)
      out[k * width + i] = static_cast<float>(sum[i] / static_cast<double>(ends[k] - begin));
  }
}

}  // namespace capella::encoder
