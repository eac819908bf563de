// Linear maps with 8-bit weights and inputs for networks that were trained with 32 bits.
//
// In a transformer's rows a few numbers are ten times as large as the others. One scale for all would leave
// the others too few of the 255 steps, so these few are multiplied as floats, by float weights, and only the
// rest becomes integers. Which they are each row tells by itself: a row's result depends on that row alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tensor/aligned.h"
#include "tensor/kernels.h"
#include "tensor/linear.h"

namespace capella::tensor {

/// Rows as SplitLinear takes them; reused from product to product.
struct SplitRows {
  std::size_t count = 0;
  QuantizedRows rest;
  AlignedVector<std::uint32_t> places;  ///< of the numbers that were taken out, [count][2]
  AlignedVector<float> values;          ///< they themselves
  AlignedVector<float> row;             ///< one without its two numbers
};

/// y = W x + b. Weights of an output are made integers as Kernels::quantize_rows makes them of a row. Of each
/// row of inputs two numbers are taken out (Kernels::take_two, TakenNumbers) before the rest is.
class SplitLinear {
 public:
  SplitLinear() = default;
  /// `weight` is [outputs][inputs], `bias` [outputs].
  SplitLinear(std::span<const float> weight, std::span<const float> bias, std::size_t outputs,
              std::size_t inputs);

  /// Floats that a row of the result takes: the outputs, rounded up to kBlock. Those beyond the outputs are 0
  /// when stored.
  std::size_t stride() const { return scale_.size(); }

  /// Makes rows ready; maps with as many inputs may share them. Beyond their inputs rows are 0 up to a
  /// multiple of kLanes.
  void split(const Kernels& kernels, const float* rows, std::size_t row_stride, std::size_t count,
             SplitRows& to) const;
  /// `out` has rows of out_stride >= stride().
  void apply(const Kernels& kernels, const SplitRows& rows, float* out, std::size_t out_stride,
             After after) const;

 private:
  std::size_t inputs_ = 0;  // rounded up to kLanes
  AlignedVector<std::int8_t> packed_;
  AlignedVector<float> scale_;
  AlignedVector<float> bias_;
  AlignedVector<float> lines_;  // [inputs][stride()]: the weights of each input
};

}  // namespace capella::tensor
