#include "tensor/linear.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace capella::tensor {

Linear::Linear(std::span<const std::int8_t> weight, std::span<const float> scale, std::span<const float> bias)
    : inputs_(scale.empty() ? 0 : weight.size() / scale.size()),
      outputs_(scale.size()),
      packed_(round_up(outputs_, kBlock) * round_up(inputs_, kDepth)),
      scale_(round_up(outputs_, kBlock)),
      bias_(round_up(outputs_, kBlock)) {
  assert(weight.size() == inputs_ * outputs_ && bias.size() == outputs_);
  pack_weights(weight.data(), outputs_, inputs_, packed_.data());
  std::copy(scale.begin(), scale.end(), scale_.begin());
  std::copy(bias.begin(), bias.end(), bias_.begin());
}

// Braces, so that tensors are read in this order and errors name the same one everywhere.
Linear::Linear(const Safetensors& file, const std::string& name, std::size_t outputs, std::size_t inputs)
    : Linear{file.values<std::int8_t>(name + ".weight", {outputs, inputs}),
             finite_values(file, name + ".scale", {outputs}),
             finite_values(file, name + ".bias", {outputs})} {}

void Linear::apply(const Kernels& kernels, const float* rows, std::size_t row_stride, std::size_t count,
                   float* out, std::size_t out_stride, After after, QuantizedRows& scratch) const {
  quantize(kernels, rows, row_stride, count, scratch);
  multiply(kernels, scratch, count, 0, stride(), out, out_stride, after);
}

void Linear::quantize(const Kernels& kernels, const float* rows, std::size_t row_stride, std::size_t count,
                      QuantizedRows& quantized) const {
  assert(inputs_ % kLanes == 0);
  const std::size_t depth = round_up(inputs_, kDepth);
  std::int8_t* values = reserve(quantized.values, round_up(count, kBlock) * depth);
  kernels.quantize_rows(rows, row_stride, count, inputs_, values, depth, reserve(quantized.scale, count));
}

void Linear::multiply(const Kernels& kernels, const QuantizedRows& quantized, std::size_t count,
                      std::size_t first, std::size_t outputs, float* out, std::size_t out_stride,
                      After after) const {
  assert(first % kBlock == 0 && outputs % kBlock == 0 && first + outputs <= stride());
  assert(out_stride >= outputs);
  const std::size_t depth = round_up(inputs_, kDepth);
  kernels.multiply_int8({.rows = quantized.values.data(),
                         .row_scale = quantized.scale.data(),
                         .count = count,
                         .depth = depth,
                         .weights = packed_.data() + first * depth,
                         .scale = scale_.data() + first,
                         .bias = bias_.data() + first,
                         .outputs = outputs,
                         .out = out,
                         .stride = out_stride,
                         .after = after});
}

Table::Table(const Safetensors& file, const std::string& name, std::size_t rows, std::size_t width)
    : width_(width),
      weight_(file.values<std::int8_t>(name + ".weight", {rows, width})),
      scale_(finite_values(file, name + ".scale", {rows})) {}

void Table::add_row(std::size_t row, float* sum) const {
  assert(row < rows());
  const std::int8_t* weight = weight_.data() + row * width_;
  const float scale = scale_[row];
  for (std::size_t i = 0; i < width_; ++i) sum[i] += static_cast<float>(weight[i]) * scale;
}

LayerNorm::LayerNorm(const Safetensors& file, const std::string& name, std::size_t width)
    : weight_(finite_values(file, name + ".weight", {width})),
      bias_(finite_values(file, name + ".bias", {width})) {}

void LayerNorm::apply(const Kernels& kernels, const float* rows, std::size_t stride, std::size_t count,
                      float* out, std::size_t out_stride) const {
  constexpr float kEpsilon = 1e-5f;
  kernels.layer_norm(rows, stride, count, weight_.size(), weight_.data(), bias_.data(), kEpsilon, out,
                     out_stride);
}

AlignedVector<float> finite_values(const Safetensors& file, const std::string& name, const Shape& shape) {
  const std::span<const float> values = file.values<float>(name, shape);
  for (const float value : values) {
    if (!std::isfinite(value)) file.reject(fmt::format("tensor '{}' has a number that is not finite", name));
  }
  return {values.begin(), values.end()};
}

}  // namespace capella::tensor
