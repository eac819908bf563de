// The linear maps of a transformer's layers, with weights of 32 or of 8 bits (Precision). Either way a row's
// result depends on that row alone.
#pragma once

#include <cstddef>
#include <span>
#include <variant>

#include "encoder/precision.h"
#include "tensor/float_linear.h"
#include "tensor/kernels.h"
#include "tensor/split_linear.h"

namespace capella::encoder {

/// Rows of floats that go into maps: beyond their inputs they are 0 up to a multiple of kLanes.
struct LayerRows {
  const float* rows = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
};

/// y = W x + b.
class LayerLinear {
 public:
  LayerLinear() = default;
  /// `weight` is [outputs][inputs], `bias` [outputs].
  LayerLinear(std::span<const float> weight, std::span<const float> bias, std::size_t outputs,
              std::size_t inputs, Precision precision);

  /// Floats that a row of the result takes; those beyond the outputs are 0 when stored.
  std::size_t stride() const;

  /// Makes rows ready for apply(); maps with as many inputs may share what is made.
  void prepare(const tensor::Kernels& kernels, const LayerRows& rows, tensor::SplitRows& prepared) const;
  /// `out` has rows of out_stride >= stride().
  void apply(const tensor::Kernels& kernels, const LayerRows& rows, tensor::SplitRows& prepared, float* out,
             std::size_t out_stride, tensor::After after) const;

 private:
  std::variant<tensor::FloatLinear, tensor::SplitLinear> map_;
};

}  // namespace capella::encoder
