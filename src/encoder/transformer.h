// The layers that BERT, RoBERTa, CLIP's two towers and DENEB's head have in common: attention and two linear
// maps, each with a residual and a layer norm before or behind it.
//
// Sequences lie packed one behind the other, without padding; attention stays within each. A sequence's
// result depends on that sequence alone, bit for bit, however many are computed together.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "encoder/layer_linear.h"
#include "encoder/precision.h"
#include "encoder/weight_source.h"
#include "encoder/workspace.h"
#include "tensor/float_linear.h"
#include "tensor/kernels.h"

namespace capella::encoder {

enum class NormPlace { kBefore, kAfter };  ///< of attention and of the linear maps

struct TransformerShape {
  std::size_t width = 0;  ///< a multiple of 16, with weights of 8 bits of 32
  std::size_t heads = 0;  ///< a divisor of the width
  std::size_t inner = 0;  ///< between the two linear maps
  NormPlace norm = NormPlace::kAfter;
  tensor::After activation = tensor::After::kGelu;
  float epsilon = 1e-5f;  ///< of the layer norms
  bool causal = false;    ///< whether a token sees only itself and those before it
  Precision precision = Precision::kFloat;
};

/// The names of a layer's tensors, without ".weight" and ".bias".
struct LayerNames {
  std::string query, key, value;
  std::string in_projection;  ///< where one tensor has query, key and value: "...in_proj" for in_proj_weight
  std::string out;            ///< of attention
  std::string first_norm;
  std::string up, down;
  std::string second_norm;
};

/// Throws FileError if there is no model of this shape.
void check_shape(const WeightSource& source, const TransformerShape& shape);

/// NAME.weight and NAME.bias, or with the names of old files NAME.gamma and NAME.beta.
tensor::FloatNorm read_norm(const WeightSource& source, const std::string& name, std::size_t width,
                            float epsilon);
/// NAME.weight [outputs][inputs] and NAME.bias [outputs].
tensor::FloatLinear read_linear(const WeightSource& source, const std::string& name, std::size_t outputs,
                                std::size_t inputs);

class Transformer {
 public:
  Transformer() = default;
  /// Throws FileError that names a tensor which is missing or has another shape.
  Transformer(const WeightSource& source, const TransformerShape& shape, std::span<const LayerNames> layers);

  std::size_t layers() const { return layers_.size(); }
  std::size_t width() const { return shape_.width; }

  /// Hidden states [tokens][width] before the first layer (layer 0) and behind each.
  using AfterLayer = std::function<void(std::size_t layer, const float* rows, std::size_t stride)>;
  /// Runs the first `layers` layers on `rows`, in place. Sequence k ends before row ends[k].
  void run(const tensor::Kernels& kernels, std::span<const std::size_t> ends, std::size_t layers, float* rows,
           const AfterLayer& after, Workspace& work) const;

  /// Runs all layers, the last one only for one row of each sequence: out[k] is what row read[k] becomes, and
  /// has a stride of width(). What is left in `rows` is of no use.
  void run_and_read(const tensor::Kernels& kernels, std::span<const std::size_t> ends,
                    std::span<const std::size_t> read, float* rows, float* out, Workspace& work) const;

 private:
  // Heads are padded with zeros to a multiple of kLanes.
  struct Layer {
    LayerLinear query;
    LayerLinear key_value;
    LayerLinear out;
    tensor::FloatNorm first_norm;
    LayerLinear up;
    LayerLinear down;
    tensor::FloatNorm second_norm;
  };
  class Pass;

  std::size_t head_stride() const { return tensor::round_up(shape_.width / shape_.heads, tensor::kLanes); }
  std::size_t attention_width() const { return shape_.heads * head_stride(); }
  Layer read_layer(const WeightSource& source, const LayerNames& names) const;
  LayerLinear spread_outputs(std::span<const float> weight, std::span<const float> bias) const;
  LayerLinear spread_inputs(std::span<const float> weight, std::span<const float> bias) const;
  LayerLinear read_map(const WeightSource& source, const std::string& name, std::size_t outputs,
                       std::size_t inputs) const;

  TransformerShape shape_;
  std::vector<Layer> layers_;
};

}  // namespace capella::encoder
