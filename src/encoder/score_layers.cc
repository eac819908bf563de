#include "encoder/score_layers.h"

#include <cmath>

#include <fmt/format.h>

#include "encoder/transformer.h"

namespace capella::encoder {
namespace {

using tensor::After;
using tensor::AlignedVector;

}  // namespace

ScoreLayersShape score_layers_shape(const ModelFolder& folder) {
  const std::string prefix = folder.prefix_of("linear_1.weight").value_or("ff.");
  const tensor::Shape first = folder.matrix_shape(prefix + "linear_1.weight");
  const tensor::Shape second = folder.matrix_shape(prefix + "linear_2.weight");
  return {first[1], {first[0], second[0]}, prefix};
}

ScoreLayers::ScoreLayers(const WeightSource& source, const ScoreLayersShape& shape)
    : first_(read_linear(source, shape.prefix + "linear_1", shape.hidden[0], shape.inputs)),
      second_(read_linear(source, shape.prefix + "linear_2", shape.hidden[1], shape.hidden[0])),
      last_(read_linear(source, shape.prefix + "linear_3", 1, shape.hidden[1])) {}

void ScoreLayers::apply(const tensor::Kernels& kernels, const float* rows, std::size_t stride,
                        std::size_t count, const float* added, float* out) const {
  AlignedVector<float> first(count * first_.stride()), second(count * second_.stride()),
      last(count * last_.stride());
  first_.apply(kernels, rows, stride, count, first.data(), first_.stride(), After::kTanh);
  second_.apply(kernels, first.data(), first_.stride(), count, second.data(), second_.stride(), After::kTanh);
  last_.apply(kernels, second.data(), second_.stride(), count, last.data(), last_.stride(), After::kStore);
  for (std::size_t k = 0; k < count; ++k) {
    const double number = static_cast<double>(last[k * last_.stride()]) + (added != nullptr ? added[k] : 0);
    out[k] = static_cast<float>(1.0 / (1.0 + std::exp(-number)));
  }
}

}  // namespace capella::encoder
