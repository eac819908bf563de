// How learned heads make one vector of many tokens: a transformer that is read at a token of its own or, to
// see what attention is worth, the same layers without it and the mean over tokens.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "encoder/transformer.h"
#include "encoder/weight_source.h"
#include "encoder/workspace.h"
#include "tensor/aligned.h"
#include "tensor/float_linear.h"
#include "tensor/kernels.h"

namespace capella::encoder {

struct JoinerShape {
  std::size_t width = 0;  ///< of a token, a multiple of 16
  std::size_t layers = 0;
  std::size_t heads = 0;
  std::size_t inner = 0;  ///< in a layer
  bool attention = true;
};

class TokenJoiner {
 public:
  TokenJoiner() = default;
  /// NAME.layers.0.linear1.weight, ... and, with attention, OWN. Throws FileError that names an array which
  /// is missing or has another shape.
  TokenJoiner(const WeightSource& source, const JoinerShape& shape, const std::string& name,
              const std::string& own);

  std::size_t width() const { return shape_.width; }
  /// The token that every sequence must begin with; empty: none.
  std::span<const float> own() const { return own_; }

  /// Sequence k ends before row ends[k] and has at least one; out is [sequences][width()]. Rows are changed.
  /// A sequence's vector depends on that sequence alone.
  void join(const tensor::Kernels& kernels, std::span<const std::size_t> ends, float* rows, float* out,
            Workspace& work) const;

 private:
  struct Layer {
    tensor::FloatLinear up;
    tensor::FloatLinear down;
    tensor::FloatNorm norm;
  };

  void average(const tensor::Kernels& kernels, std::span<const std::size_t> ends, float* rows, float* out,
               Workspace& work) const;

  JoinerShape shape_;
  tensor::AlignedVector<float> own_;
  Transformer transformer_;    // with attention
  std::vector<Layer> layers_;  // without
};

}  // namespace capella::encoder
