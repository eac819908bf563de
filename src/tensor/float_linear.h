// Linear maps and layer norms with weights of 32 bits, as the large encoders hold them, on the kernels of
// kernels.h. A row's result depends on that row alone, so batches of any size give the same bits.
#pragma once

#include <cstddef>
#include <span>

#include "tensor/aligned.h"
#include "tensor/kernels.h"

namespace capella::tensor {

/// y = W x + b.
class FloatLinear {
 public:
  FloatLinear() = default;
  /// `weight` is [outputs][inputs], `bias` [outputs], or empty for none. Copies and packs them.
  FloatLinear(std::span<const float> weight, std::span<const float> bias, std::size_t outputs,
              std::size_t inputs);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  /// Floats that a row of the result takes: outputs() rounded up to kLanes; those from outputs() on are 0
  /// when stored and left as they are when added.
  std::size_t stride() const { return bias_.size(); }

  /// Maps `count` rows of `row_stride` floats; `out` has rows of out_stride >= stride().
  void apply(const Kernels& kernels, const float* rows, std::size_t row_stride, std::size_t count, float* out,
             std::size_t out_stride, After after) const;

 private:
  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
  AlignedVector<float> packed_;
  AlignedVector<float> bias_;
};

class FloatNorm {
 public:
  FloatNorm() = default;
  FloatNorm(std::span<const float> weight, std::span<const float> bias, float epsilon);

  /// `out` may be `rows`.
  void apply(const Kernels& kernels, const float* rows, std::size_t stride, std::size_t count, float* out,
             std::size_t out_stride) const;

 private:
  std::size_t width_ = 0;
  float epsilon_ = 0;
  AlignedVector<float> weight_;
  AlignedVector<float> bias_;
};

}  // namespace capella::tensor
