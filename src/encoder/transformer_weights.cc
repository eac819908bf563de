// A transformer's weights: from the names of files to packed linear maps.
#include <fmt/format.h>

#include "encoder/transformer.h"

namespace capella::encoder {
namespace {

// Weight and bias of query, key and value, one behind the other.
struct Projections {
  std::vector<float> weight;  // [3][width][width]
  std::vector<float> bias;    // [3][width]
};

void append(std::vector<float>& to, const std::vector<float>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Projections read_projections(const WeightSource& source, const LayerNames& names, std::size_t width) {
  if (!names.in_projection.empty()) {
    return {source.floats(names.in_projection + "_weight", {3 * width, width}),
            source.floats(names.in_projection + "_bias", {3 * width})};
  }
  Projections all;
  for (const std::string& name : {names.query, names.key, names.value}) {
    append(all.weight, source.floats(name + ".weight", {width, width}));
    append(all.bias, source.floats(name + ".bias", {width}));
  }
  return all;
}

}  // namespace

void check_shape(const WeightSource& source, const TransformerShape& shape) {
  const bool eight_bits = shape.precision == Precision::kInt8;
  const std::size_t unit = eight_bits ? tensor::kBlock : tensor::kLanes;
  if (shape.width % unit != 0 || shape.width == 0)
    source.reject(fmt::format("layers have a width of {}, expected a multiple of {}{}", shape.width, unit,
                              eight_bits ? " for weights of 8 bits; take precision=float" : ""));
  if (shape.heads == 0 || shape.width % shape.heads != 0)
    source.reject(fmt::format("a width of {} cannot be shared among {} heads", shape.width, shape.heads));
}

tensor::FloatNorm read_norm(const WeightSource& source, const std::string& name, std::size_t width,
                            float epsilon) {
  const bool old = !source.has(name + ".weight") && source.has(name + ".gamma");
  const std::vector<float> weight = source.floats(name + (old ? ".gamma" : ".weight"), {width});
  return {weight, source.floats(name + (old ? ".beta" : ".bias"), {width}), epsilon};
}

tensor::FloatLinear read_linear(const WeightSource& source, const std::string& name, std::size_t outputs,
                                std::size_t inputs) {
  const std::vector<float> weight = source.floats(name + ".weight", {outputs, inputs});
  return {weight, source.floats(name + ".bias", {outputs}), outputs, inputs};
}

Transformer::Transformer(const WeightSource& source, const TransformerShape& shape,
                         std::span<const LayerNames> layers)
    : shape_(shape) {
  check_shape(source, shape);
  for (const LayerNames& names : layers) layers_.push_back(read_layer(source, names));
}

Transformer::Layer Transformer::read_layer(const WeightSource& source, const LayerNames& names) const {
  const std::size_t width = shape_.width;
  const Projections all = read_projections(source, names, width);
  const std::span weight(all.weight), bias(all.bias);
  const std::vector<float> out = source.floats(names.out + ".weight", {width, width});
  Layer layer;
  layer.query = spread_outputs(weight.first(width * width), bias.first(width));
  layer.key_value = spread_outputs(weight.subspan(width * width), bias.subspan(width));
  layer.out = spread_inputs(out, source.floats(names.out + ".bias", {width}));
  layer.first_norm = read_norm(source, names.first_norm, width, shape_.epsilon);
  layer.up = read_map(source, names.up, shape_.inner, width);
  layer.down = read_map(source, names.down, width, shape_.inner);
  layer.second_norm = read_norm(source, names.second_norm, width, shape_.epsilon);
  return layer;
}

LayerLinear Transformer::read_map(const WeightSource& source, const std::string& name, std::size_t outputs,
                                  std::size_t inputs) const {
  const std::vector<float> weight = source.floats(name + ".weight", {outputs, inputs});
  return {weight, source.floats(name + ".bias", {outputs}), outputs, inputs, shape_.precision};
}

// One or more blocks of outputs, each cut into heads; every head takes head_stride() outputs.
LayerLinear Transformer::spread_outputs(std::span<const float> weight, std::span<const float> bias) const {
  const std::size_t width = shape_.width, head = width / shape_.heads;
  const std::size_t outputs = bias.size() / head * head_stride();
  std::vector<float> spread(outputs * width), spread_bias(outputs);
  for (std::size_t o = 0; o < bias.size(); ++o) {
    const std::size_t to = o / head * head_stride() + o % head;
    std::copy_n(weight.begin() + static_cast<std::ptrdiff_t>(o * width), width,
                spread.begin() + static_cast<std::ptrdiff_t>(to * width));
    spread_bias[to] = bias[o];
  }
  return {spread, spread_bias, outputs, width, shape_.precision};
}

// The reverse: inputs are heads of head_stride() numbers.
LayerLinear Transformer::spread_inputs(std::span<const float> weight, std::span<const float> bias) const {
  const std::size_t width = shape_.width, head = width / shape_.heads;
  std::vector<float> spread(width * attention_width());
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const std::size_t input = i % width;
    spread[i / width * attention_width() + input / head * head_stride() + input % head] = weight[i];
  }
  return {spread, bias, width, attention_width(), shape_.precision};
}

}  // namespace capella::encoder
