// The last layers of learned metrics: two hidden layers with tanh, then one number and its sigmoid.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "encoder/model_folder.h"
#include "tensor/float_linear.h"
#include "tensor/kernels.h"

namespace capella::encoder {

struct ScoreLayersShape {
  std::size_t inputs = 0;
  std::array<std::size_t, 2> hidden = {};
  std::string prefix = "ff.";  ///< before "linear_1", "linear_2", "linear_3"
};

/// The shape that the folder's tensors have, whatever stands before their names. Throws FileError.
ScoreLayersShape score_layers_shape(const ModelFolder& folder);

class ScoreLayers {
 public:
  ScoreLayers() = default;
  /// Throws FileError that names a tensor which is missing or has another shape.
  ScoreLayers(const WeightSource& source, const ScoreLayersShape& shape);

  std::size_t inputs() const { return first_.inputs(); }
  /// Maps `count` rows to a number in [0, 1] each. `added` has a number for each row that goes into the one
  /// whose sigmoid this is; null: none.
  void apply(const tensor::Kernels& kernels, const float* rows, std::size_t stride, std::size_t count,
             const float* added, float* out) const;

 private:
  tensor::FloatLinear first_;
  tensor::FloatLinear second_;
  tensor::FloatLinear last_;
};

}  // namespace capella::encoder
