#include "encoder/layer_linear.h"

namespace capella::encoder {

using tensor::FloatLinear;
using tensor::SplitLinear;

LayerLinear::LayerLinear(std::span<const float> weight, std::span<const float> bias, std::size_t outputs,
                         std::size_t inputs, Precision precision) {
  if (precision == Precision::kFloat)
    map_.emplace<FloatLinear>(weight, bias, outputs, inputs);
  else
    map_.emplace<SplitLinear>(weight, bias, outputs, inputs);
}

std::size_t LayerLinear::stride() const {
  return std::visit([](const auto& map) { return map.stride(); }, map_);
}

void LayerLinear::prepare(const tensor::Kernels& kernels, const LayerRows& rows,
                          tensor::SplitRows& prepared) const {
  if (const auto* map = std::get_if<SplitLinear>(&map_))
    map->split(kernels, rows.rows, rows.stride, rows.count, prepared);
}

void LayerLinear::apply(const tensor::Kernels& kernels, const LayerRows& rows, tensor::SplitRows& prepared,
                        float* out, std::size_t out_stride, tensor::After after) const {
  if (const auto* map = std::get_if<SplitLinear>(&map_))
    map->apply(kernels, prepared, out, out_stride, after);
  else
    std::get<FloatLinear>(map_).apply(kernels, rows.rows, rows.stride, rows.count, out, out_stride, after);
}

}  // namespace capella::encoder
