// Linear maps, tables and layer norms as networks hold them, on the kernels of kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tensor/aligned.h"
#include "tensor/kernels.h"
#include "tensor/safetensors.h"

namespace capella::tensor {

/// Rows of floats as 8-bit integers; reused from product to product.
struct QuantizedRows {
  AlignedVector<std::int8_t> values;
  AlignedVector<float> scale;
};

/// y = W x + b with 8-bit weights and 8-bit inputs; see Int8Product.
class Linear {
 public:
  Linear() = default;
  Linear(std::span<const std::int8_t> weight, std::span<const float> scale, std::span<const float> bias);
  /// NAME.weight (I8), NAME.scale and NAME.bias (F32) of a file. Throws FileError if they do not fit.
  Linear(const Safetensors& file, const std::string& name, std::size_t outputs, std::size_t inputs);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  /// Floats that a row of the result takes.
  std::size_t stride() const { return scale_.size(); }

  /// Maps `count` rows. `inputs` must be a multiple of kLanes; `out` has rows of out_stride >= stride().
  void apply(const Kernels& kernels, const float* rows, std::size_t row_stride, std::size_t count, float* out,
             std::size_t out_stride, After after, QuantizedRows& scratch) const;

  /// The two halves of apply(): rows to integers, and these to some of the outputs, from `first` on; both are
  /// multiples of kBlock.
  void quantize(const Kernels& kernels, const float* rows, std::size_t row_stride, std::size_t count,
                QuantizedRows& quantized) const;
  void multiply(const Kernels& kernels, const QuantizedRows& quantized, std::size_t count, std::size_t first,
                std::size_t outputs, float* out, std::size_t out_stride, After after) const;

 private:
  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
  AlignedVector<std::int8_t> packed_;
  AlignedVector<float> scale_;
  AlignedVector<float> bias_;
};

/// Rows of 8-bit numbers, each with its scale. The numbers stay in the file.
class Table {
 public:
  Table() = default;
  Table(const Safetensors& file, const std::string& name, std::size_t rows, std::size_t width);

  std::size_t rows() const { return scale_.size(); }
  /// Adds a row to `sum`.
  void add_row(std::size_t row, float* sum) const;

 private:
  std::size_t width_ = 0;
  std::span<const std::int8_t> weight_;
  AlignedVector<float> scale_;
};

class LayerNorm {
 public:
  LayerNorm() = default;
  LayerNorm(const Safetensors& file, const std::string& name, std::size_t width);

  /// `out` may be `rows`.
  void apply(const Kernels& kernels, const float* rows, std::size_t stride, std::size_t count, float* out,
             std::size_t out_stride) const;

 private:
  AlignedVector<float> weight_;
  AlignedVector<float> bias_;
};

/// The F32 tensor with that name and shape. Throws FileError, also if a number is not finite.
AlignedVector<float> finite_values(const Safetensors& file, const std::string& name, const Shape& shape);

}  // namespace capella::tensor
