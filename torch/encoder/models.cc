#include "torch/encoder/models.h"

#include <cmath>

#include "capella/error.h"

#include "torch/boundary.h"

namespace capella::plugin::encoder {
namespace {

constexpr std::size_t kMostLayers = 1000;

// Arrays with their shapes checked; -1 stands for any size above 0.
class Arrays {
 public:
  Arrays(const FindArray& find, torch::ScalarType type) : find_(find), type_(type) {}

  bool has(const std::string& name) const { return find_(name).defined(); }

  Tensor exact(const std::string& name, std::vector<std::int64_t> shape) const {
    Tensor found = find_(name);
    if (!found.defined()) throw DataError("array '" + name + "' is missing; the encoder needs it");
    bool fits = found.dim() == static_cast<std::int64_t>(shape.size());
    for (std::size_t d = 0; fits && d < shape.size(); ++d) {
      const std::int64_t size = found.size(static_cast<std::int64_t>(d));
      fits = shape[d] < 0 ? size > 0 : size == shape[d];
    }
    if (!fits) {
      std::string expected;
      for (const std::int64_t size : shape)
        expected += (expected.empty() ? "" : " x ") + (size < 0 ? std::string("any") : std::to_string(size));
      throw DataError("array '" + name + "' has the shape " + spelled(shape_of(found)) + ", expected " +
                      expected);
    }
    return found;
  }

  Tensor operator()(const std::string& name, std::vector<std::int64_t> shape) const {
    return exact(name, std::move(shape)).to(type_);
  }

  // Layer norms of old files have "gamma" and "beta".
  void norm(const std::string& name, std::int64_t width, Tensor& weight, Tensor& bias) const {
    const bool old = !has(name + ".weight") && has(name + ".gamma");
    weight = (*this)(name + (old ? ".gamma" : ".weight"), {width});
    bias = (*this)(name + (old ? ".beta" : ".bias"), {width});
  }

  void linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, Tensor& weight,
              Tensor& bias) const {
    weight = (*this)(name + ".weight", {outputs, inputs});
    bias = (*this)(name + ".bias", {outputs});
  }

 private:
  const FindArray& find_;
  torch::ScalarType type_;
};

// What the parts of a layer are called.
struct LayerNames {
  std::string query, key, value, out, norm1, up, down, norm2;
};

LayerNames bert_names(std::size_t number) {
  const std::string layer = "encoder.layer." + std::to_string(number) + ".";
  return {layer + "attention.self.query",
          layer + "attention.self.key",
          layer + "attention.self.value",
          layer + "attention.output.dense",
          layer + "attention.output.LayerNorm",
          layer + "intermediate.dense",
          layer + "output.dense",
          layer + "output.LayerNorm"};
}

LayerNames clip_names(const std::string& tower, std::size_t number) {
  const std::string layer = tower + ".encoder.layers." + std::to_string(number) + ".";
  return {layer + "self_attn.q_proj", layer + "self_attn.k_proj",
          layer + "self_attn.v_proj", layer + "self_attn.out_proj",
          layer + "layer_norm1",      layer + "mlp.fc1",
          layer + "mlp.fc2",          layer + "layer_norm2"};
}

Layer layer_from(const Arrays& arrays, const LayerNames& names, std::int64_t width) {
  Layer layer;
  std::vector<Tensor> weights(3), biases(3);
  arrays.linear(names.query, width, width, weights[0], biases[0]);
  arrays.linear(names.key, width, width, weights[1], biases[1]);
  arrays.linear(names.value, width, width, weights[2], biases[2]);
  layer.qkv_weight = torch::cat(weights);
  layer.qkv_bias = torch::cat(biases);
  arrays.linear(names.out, width, width, layer.out_weight, layer.out_bias);
  arrays.norm(names.norm1, width, layer.norm1_weight, layer.norm1_bias);
  arrays.linear(names.up, -1, width, layer.up_weight, layer.up_bias);
  const std::int64_t inner = layer.up_weight.size(0);
  arrays.linear(names.down, width, inner, layer.down_weight, layer.down_bias);
  arrays.norm(names.norm2, width, layer.norm2_weight, layer.norm2_bias);
  return layer;
}

Tower tower_from(const Arrays& arrays, const TowerFacts& facts, std::int64_t width,
                 const std::function<LayerNames(std::size_t)>& names) {
  Tower tower;
  tower.heads = static_cast<std::int64_t>(facts.heads);
  tower.epsilon = facts.epsilon;
  tower.activation = facts.activation;
  if (tower.heads < 1 || width % tower.heads != 0)
    throw DataError("layers of " + std::to_string(width) + " numbers cannot be shared among " +
                    std::to_string(tower.heads) + " heads");
  while (tower.layers.size() < kMostLayers && arrays.has(names(tower.layers.size()).query + ".weight")) {
    tower.layers.push_back(layer_from(arrays, names(tower.layers.size()), width));
    if (facts.activation == tensor::After::kQuickGelu) fold_quick_gelu(tower.layers.back());
  }
  if (tower.layers.empty())
    throw DataError("array '" + names(0).query + ".weight' is missing; the encoder needs at least one layer");
  return tower;
}

Tensor normed(const Tower& tower, const Tensor& rows, const Tensor& weight, const Tensor& bias) {
  return torch::layer_norm(rows, {rows.size(-1)}, weight, bias, tower.epsilon);
}

}  // namespace

Tensor Bert::embed(const Tensor& ids, const Tensor& positions, const Tensor& second,
                   torch::ScalarType type) const {
  Tensor rows = torch::embedding(words, ids) + torch::embedding(places, positions);
  rows = rows + (second.defined() ? torch::embedding(kinds, second) : kinds.select(0, 0));
  return normed(tower, rows, norm_weight, norm_bias).to(type);
}

Tensor ClipText::embed(const Tensor& ids, const Tensor& positions, torch::ScalarType type) const {
  return (torch::embedding(words, ids) + torch::embedding(places, positions)).to(type);
}

Tensor ClipText::project(const Tensor& read) const {
  return torch::matmul(normed(tower, read, norm_weight, norm_bias), projection.t());
}

Tensor ClipVision::embed(const Tensor& pixels) const {
  const std::int64_t images = pixels.size(0), width = first.size(0);
  const Tensor cut = pixels.view({images, 3, side, patch, side, patch})
                         .permute({0, 2, 4, 1, 3, 5})
                         .reshape({images * side * side, 3 * patch * patch});
  const Tensor rows = torch::matmul(cut, patches.t()).view({images, side * side, width});
  const Tensor all = torch::cat({first.expand({images, 1, width}), rows}, 1) + places;
  return normed(tower, all.view({-1, width}), first_norm_weight, first_norm_bias);
}

Layout ClipVision::layout(std::int64_t images) const {
  LayoutOptions options;
  options.device = patches.device();
  options.type = patches.scalar_type();
  const std::vector<std::int64_t> lengths(static_cast<std::size_t>(images), 1 + side * side);
  return layout_of(lengths, options);
}

Tensor ClipVision::features(const Tensor& pixels, const Layout& of_images) const {
  const Tensor read = run_and_read(tower, of_images, embed(pixels), {});
  return torch::matmul(normed(tower, read, norm_weight, norm_bias), projection.t());
}

Tensor by_colour(const std::array<float, 3>& values, torch::Device device) {
  return on_device(torch::tensor({values[0], values[1], values[2]}).view({1, 3, 1, 1}), device);
}

Tensor pixels_of(const Tensor& bytes, const Tensor& mean, const Tensor& deviation) {
  const Tensor values = bytes.permute({0, 3, 1, 2}).to(torch::kFloat32) / 255;
  return ((values - mean) / deviation).contiguous();
}

Bert bert_from(const FindArray& find, const TowerFacts& facts, torch::ScalarType type) {
  const Arrays whole(find, torch::kFloat32), arrays(find, type);
  Bert bert;
  bert.words = whole("embeddings.word_embeddings.weight", {-1, -1});
  const std::int64_t width = bert.words.size(1);
  bert.places = whole("embeddings.position_embeddings.weight", {-1, width});
  bert.kinds = whole("embeddings.token_type_embeddings.weight", {-1, width});
  whole.norm("embeddings.LayerNorm", width, bert.norm_weight, bert.norm_bias);
  bert.tower = tower_from(arrays, facts, width, bert_names);
  if (arrays.has("pooler.dense.weight"))
    arrays.linear("pooler.dense", width, width, bert.pooler_weight, bert.pooler_bias);
  return bert;
}

ClipText clip_text_from(const FindArray& find, const TowerFacts& facts, torch::ScalarType type) {
  const Arrays whole(find, torch::kFloat32), arrays(find, type);
  ClipText text;
  text.words = whole("text_model.embeddings.token_embedding.weight", {-1, -1});
  const std::int64_t width = text.words.size(1);
  text.places = whole("text_model.embeddings.position_embedding.weight", {-1, width});
  text.tower = tower_from(arrays, facts, width, [](std::size_t i) { return clip_names("text_model", i); });
  text.tower.norm_first = text.tower.causal = true;
  arrays.norm("text_model.final_layer_norm", width, text.norm_weight, text.norm_bias);
  text.projection = arrays("text_projection.weight", {-1, width});
  return text;
}

ClipVision clip_vision_from(const FindArray& find, const TowerFacts& facts, torch::ScalarType type) {
  const Arrays arrays(find, type);
  ClipVision vision;
  const std::string root = "vision_model.embeddings.";
  const Tensor patches = arrays(root + "patch_embedding.weight", {-1, 3, -1, -1});
  const std::int64_t width = patches.size(0);
  vision.patch = patches.size(2);
  vision.patches =
      arrays(root + "patch_embedding.weight", {width, 3, vision.patch, vision.patch}).view({width, -1});
  vision.first = arrays(root + "class_embedding", {width});
  vision.places = arrays(root + "position_embedding.weight", {-1, width});
  vision.side = std::lround(std::sqrt(static_cast<double>(vision.places.size(0) - 1)));
  if (vision.side < 1 || vision.side * vision.side != vision.places.size(0) - 1)
    throw DataError("array '" + root + "position_embedding.weight' has " +
                    std::to_string(vision.places.size(0)) + " rows, expected one more than a square number");
  arrays.norm("vision_model.pre_layrnorm", width, vision.first_norm_weight, vision.first_norm_bias);
  vision.tower =
      tower_from(arrays, facts, width, [](std::size_t i) { return clip_names("vision_model", i); });
  vision.tower.norm_first = true;
  arrays.norm("vision_model.post_layernorm", width, vision.norm_weight, vision.norm_bias);
  vision.projection = arrays("visual_projection.weight", {-1, width});
  return vision;
}

}  // namespace capella::plugin::encoder
