#include "tensor/float_linear.h"

#include <algorithm>
#include <cassert>

namespace capella::tensor {
namespace {

AlignedVector<float> padded(std::span<const float> values, std::size_t size) {
  AlignedVector<float> result(size);
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

}  // namespace

FloatLinear::FloatLinear(std::span<const float> weight, std::span<const float> bias, std::size_t outputs,
                         std::size_t inputs)
    : inputs_(inputs),
      outputs_(outputs),
      packed_(round_up(outputs, kLanes) * inputs),
      bias_(padded(bias, round_up(outputs, kLanes))) {
  assert(weight.size() == outputs * inputs && (bias.empty() || bias.size() == outputs));
  pack_panels(weight.data(), outputs, inputs, packed_.data());
}

void FloatLinear::apply(const Kernels& kernels, const float* rows, std::size_t row_stride, std::size_t count,
                        float* out, std::size_t out_stride, After after) const {
  assert(row_stride >= round_up(inputs_, 4) && out_stride >= stride());
  static thread_local AlignedVector<float> scratch(kPanelScratch);
  kernels.multiply_panels({.rows = rows,
                           .row_stride = row_stride,
                           .count = count,
                           .depth = inputs_,
                           .weights = packed_.data(),
                           .bias = bias_.data(),
                           .outputs = stride(),
                           .out = out,
                           .stride = out_stride,
                           .scratch = scratch.data(),
                           .after = after});
}

FloatNorm::FloatNorm(std::span<const float> weight, std::span<const float> bias, float epsilon)
    : width_(weight.size()),
      epsilon_(epsilon),
      weight_(weight.begin(), weight.end()),
      bias_(bias.begin(), bias.end()) {
  assert(width_ % kLanes == 0 && bias.size() == width_);
}

void FloatNorm::apply(const Kernels& kernels, const float* rows, std::size_t stride, std::size_t count,
                      float* out, std::size_t out_stride) const {
  kernels.layer_norm(rows, stride, count, width_, weight_.data(), bias_.data(), epsilon_, out, out_stride);
}

}  // namespace capella::tensor
