#include "torch/bench/drawn_models.h"

namespace capella::bench {
namespace {

using plugin::encoder::FindArray;
using torch::Tensor;

class Drawer {
 public:
  explicit Drawer(DrawnArrays& to) : to_(to) {}

  void normal(const std::string& name, at::IntArrayRef shape, double deviation) {
    to_[name] = torch::randn(shape) * deviation;
  }
  void linear(const std::string& name, std::int64_t outputs, std::int64_t inputs) {
    normal(name + ".weight", {outputs, inputs}, .03);
    normal(name + ".bias", {outputs}, .02);
  }
  void norm(const std::string& name, std::int64_t width) {
    to_[name + ".weight"] = 1 + .1 * torch::randn({width});
    normal(name + ".bias", {width}, .05);
  }
  void clip_tower(const std::string& name, std::int64_t width, int layers) {
    for (int i = 0; i < layers; ++i) {
      const std::string layer = name + ".encoder.layers." + std::to_string(i) + ".";
      for (const char* part : {"q_proj", "k_proj", "v_proj", "out_proj"})
        linear(layer + "self_attn." + part, width, width);
      norm(layer + "layer_norm1", width);
      norm(layer + "layer_norm2", width);
      linear(layer + "mlp.fc1", 4 * width, width);
      linear(layer + "mlp.fc2", width, 4 * width);
    }
  }

 private:
  DrawnArrays& to_;
};

FindArray finder(const DrawnArrays& arrays, torch::Device device) {
  return [&arrays, device](const std::string& name) {
    const auto found = arrays.find(name);
    return found == arrays.end() ? Tensor() : found->second.to(device);
  };
}

plugin::deneb::Recipe head_recipe() {
  auto recipe = method::deneb::recipe(plugin::deneb::Architecture::released);
  recipe.clip_width = 512;
  return recipe;
}

DrawnArrays drawn_clip() {
  DrawnArrays arrays;
  Drawer draw(arrays);
  draw.normal("text_model.embeddings.token_embedding.weight", {49408, 512}, .3);
  draw.normal("text_model.embeddings.position_embedding.weight", {77, 512}, .1);
  draw.clip_tower("text_model", 512, 12);
  draw.norm("text_model.final_layer_norm", 512);
  draw.normal("text_projection.weight", {512, 512}, .04);
  draw.normal("vision_model.embeddings.class_embedding", {768}, .3);
  draw.normal("vision_model.embeddings.patch_embedding.weight", {768, 3, 32, 32}, .02);
  draw.normal("vision_model.embeddings.position_embedding.weight", {50, 768}, .1);
  draw.norm("vision_model.pre_layrnorm", 768);
  draw.clip_tower("vision_model", 768, 12);
  draw.norm("vision_model.post_layernorm", 768);
  draw.normal("visual_projection.weight", {512, 768}, .04);
  return arrays;
}

DrawnArrays drawn_roberta() {
  DrawnArrays arrays;
  Drawer draw(arrays);
  draw.normal("embeddings.word_embeddings.weight", {50265, 768}, .3);
  draw.normal("embeddings.position_embeddings.weight", {514, 768}, .1);
  draw.normal("embeddings.token_type_embeddings.weight", {1, 768}, .1);
  draw.norm("embeddings.LayerNorm", 768);
  for (int i = 0; i < 12; ++i) {
    const std::string layer = "encoder.layer." + std::to_string(i) + ".";
    for (const char* part : {"self.query", "self.key", "self.value", "output.dense"})
      draw.linear(layer + "attention." + part, 768, 768);
    draw.norm(layer + "attention.output.LayerNorm", 768);
    draw.linear(layer + "intermediate.dense", 3072, 768);
    draw.linear(layer + "output.dense", 768, 3072);
    draw.norm(layer + "output.LayerNorm", 768);
  }
  return arrays;
}

DrawnArrays drawn_head() {
  DrawnArrays arrays;
  for (const plugin::NamedWeight& array : plugin::deneb::first_weights(head_recipe(), 1))
    arrays[array.name] = array.value;
  arrays["ff.linear_3.weight"].mul_(10);  // so that scores differ
  return arrays;
}

}  // namespace

Drawing drawn_here() {
  torch::manual_seed(1);
  return {drawn_clip(), drawn_roberta(), drawn_head()};
}

Models::Models(const Drawing& drawing, torch::Device where, torch::ScalarType as)
    : device(where), type(as), recipe(head_recipe()) {
  using tensor::After;
  text = plugin::encoder::clip_text_from(finder(drawing.clip, where), {8, After::kQuickGelu, 1e-5f}, as);
  vision = plugin::encoder::clip_vision_from(finder(drawing.clip, where), {12, After::kQuickGelu, 1e-5f}, as);
  roberta = plugin::encoder::bert_from(finder(drawing.roberta, where), {12, After::kGelu, 1e-5f}, as);
  std::vector<plugin::NamedWeight> arrays;
  for (const auto& [name, value] : drawing.head) arrays.push_back({name, value});
  const plugin::Weights first(arrays, where);
  mixer = first.copied_as(torch::kFloat32);
  head = first.copied_as(as);
  const auto options = torch::TensorOptions(where).dtype(torch::kFloat32);
  mix_mean = torch::zeros({13}, options);
  mix_variance = torch::ones({13}, options);
  colour_mean = plugin::encoder::by_colour({.48f, .46f, .41f}, where);
  colour_deviation = plugin::encoder::by_colour({.27f, .26f, .28f}, where);
}

}  // namespace capella::bench
