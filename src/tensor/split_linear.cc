#include "tensor/split_linear.h"

#include <algorithm>
#include <cassert>

namespace capella::tensor {

SplitLinear::SplitLinear(std::span<const float> weight, std::span<const float> bias, std::size_t outputs,
                         std::size_t inputs)
    : inputs_(round_up(inputs, kLanes)),
      packed_(round_up(outputs, kBlock) * round_up(inputs, kDepth)),
      scale_(round_up(outputs, kBlock)),
      bias_(scale_.size()),
      lines_(inputs_ * scale_.size()) {
  assert(weight.size() == outputs * inputs && bias.size() == outputs);
  AlignedVector<float> rows(outputs * inputs_);
  for (std::size_t o = 0; o < outputs; ++o) {
    std::copy_n(weight.data() + o * inputs, inputs, rows.data() + o * inputs_);
    for (std::size_t i = 0; i < inputs; ++i) lines_[i * stride() + o] = weight[o * inputs + i];
  }
  AlignedVector<std::int8_t> integers(rows.size());
  kernels().quantize_rows(rows.data(), inputs_, outputs, inputs_, integers.data(), inputs_, scale_.data());
  pack_weights(integers.data(), outputs, inputs_, packed_.data());
  std::copy(bias.begin(), bias.end(), bias_.begin());
}

void SplitLinear::split(const Kernels& kernels, const float* rows, std::size_t row_stride, std::size_t count,
                        SplitRows& to) const {
  const std::size_t depth = round_up(inputs_, kDepth);
  to.count = count;
  std::uint32_t* places = reserve(to.places, 2 * count);
  float* values = reserve(to.values, 2 * count);
  std::int8_t* integers = reserve(to.rest.values, round_up(count, kBlock) * depth);
  float* scale = reserve(to.rest.scale, count);
  float* row = reserve(to.row, inputs_);
  for (std::size_t r = 0; r < count; ++r) {
    kernels.take_two(rows + r * row_stride, inputs_, row, places + 2 * r, values + 2 * r);
    kernels.quantize_rows(row, inputs_, 1, inputs_, integers + r * depth, depth, scale + r);
  }
}

void SplitLinear::apply(const Kernels& kernels, const SplitRows& rows, float* out, std::size_t out_stride,
                        After after) const {
  assert(out_stride >= stride());
  kernels.multiply_int8({.rows = rows.rest.values.data(),
                         .row_scale = rows.rest.scale.data(),
                         .count = rows.count,
                         .depth = round_up(inputs_, kDepth),
                         .weights = packed_.data(),
                         .scale = scale_.data(),
                         .bias = bias_.data(),
                         .outputs = stride(),
                         .out = out,
                         .stride = out_stride,
                         .after = after,
                         .taken = {lines_.data(), stride(), rows.places.data(), rows.values.data()}});
}

}  // namespace capella::tensor
