#include "encoder/device_model.h"

#include <string_view>

#include <fmt/format.h>

#include "encoder/bert_weights.h"
#include "encoder/clip_layout.h"

namespace capella::encoder {
namespace {

TowerFacts facts_of(const ModelFolder& folder, const TransformerShape& shape) {
  check_shape(folder, shape);
  return {shape.heads, shape.activation, shape.epsilon};
}

// Collects arrays under new names.
class Collector {
 public:
  Collector(const ModelFolder& folder, std::vector<tensor::NetworkArray>& to) : folder_(folder), to_(to) {}

  void copy(const std::string& from, const std::string& name) {
    const tensor::Shape shape = folder_.shape(from);
    to_.push_back({name, shape, folder_.floats(from, shape)});
  }

  void copy_pair(const std::string& from, const std::string& name) {
    for (const char* part : {".weight", ".bias"}) copy(from + part, name + part);
  }

  void add(const std::string& name, tensor::Shape shape, std::vector<float> values) {
    to_.push_back({name, std::move(shape), std::move(values)});
  }

  // Thirds of OpenAI's "NAME_weight" and "NAME_bias".
  void copy_thirds(const std::string& from, const std::string& name, std::size_t width) {
    const std::vector<float> weight = folder_.floats(from + "_weight", {3 * width, width});
    const std::vector<float> bias = folder_.floats(from + "_bias", {3 * width});
    const auto third = [](const std::vector<float>& all, std::size_t k) {
      const auto size = static_cast<std::ptrdiff_t>(all.size() / 3),
                 begin = static_cast<std::ptrdiff_t>(k) * size;
      return std::vector<float>(all.begin() + begin, all.begin() + begin + size);
    };
    constexpr std::string_view kNames[] = {"q_proj", "k_proj", "v_proj"};
    for (std::size_t k = 0; k < 3; ++k) {
      add(fmt::format("{}{}.weight", name, kNames[k]), {width, width}, third(weight, k));
      add(fmt::format("{}{}.bias", name, kNames[k]), {width}, third(bias, k));
    }
  }

 private:
  const ModelFolder& folder_;
  std::vector<tensor::NetworkArray>& to_;
};

void collect_layer(Collector& collector, const ClipTower& tower, const LayerNames& from,
                   const std::string& name) {
  if (tower.fused) {
    collector.copy_thirds(from.in_projection, name + "self_attn.", tower.shape.width);
  } else {
    collector.copy_pair(from.query, name + "self_attn.q_proj");
    collector.copy_pair(from.key, name + "self_attn.k_proj");
    collector.copy_pair(from.value, name + "self_attn.v_proj");
  }
  collector.copy_pair(from.out, name + "self_attn.out_proj");
  collector.copy_pair(from.first_norm, name + "layer_norm1");
  collector.copy_pair(from.up, name + "mlp.fc1");
  collector.copy_pair(from.down, name + "mlp.fc2");
  collector.copy_pair(from.second_norm, name + "layer_norm2");
}

void collect_tower(Collector& collector, const ClipTower& tower, const std::string& name) {
  collector.copy(tower.places, name + ".embeddings.position_embedding.weight");
  for (std::size_t i = 0; i < tower.layers.size(); ++i)
    collect_layer(collector, tower, tower.layers[i], fmt::format("{}.encoder.layers.{}.", name, i));
}

}  // namespace

BertModel read_bert_model(const ModelFolder& folder) {
  const BertLayout layout = bert_layout(folder);
  BertModel model;
  model.tower = facts_of(folder, layout.shape);
  model.first_position = layout.first_position;
  model.padding = layout.padding;
  Collector collector(folder, model.arrays);
  const std::string beyond =
      fmt::format("encoder.layer.{}.", layout.layers);  // layers end where one is missing
  for (const std::string& name : folder.names()) {
    const std::string_view own = std::string_view(name).substr(std::min(name.size(), layout.prefix.size()));
    const bool wanted =
        own.starts_with("embeddings.") || own.starts_with("encoder.") || own.starts_with("pooler.");
    if (name.starts_with(layout.prefix) && wanted && !own.ends_with("position_ids") &&
        !own.starts_with(beyond))
      collector.copy(name, std::string(own));
  }
  return model;
}

ClipModel read_clip_model(const ModelFolder& folder) {
  const ClipLayout layout = clip_layout(folder);
  ClipModel model;
  model.text = facts_of(folder, layout.text.shape);
  model.vision = facts_of(folder, layout.vision.shape);
  model.end = layout.end;
  model.end_is_greatest = layout.end_is_greatest;
  Collector collector(folder, model.arrays);
  collector.copy(layout.words, "text_model.embeddings.token_embedding.weight");
  collect_tower(collector, layout.text, "text_model");
  collector.copy_pair(layout.text.last_norm, "text_model.final_layer_norm");
  collector.copy(layout.patches, "vision_model.embeddings.patch_embedding.weight");
  collector.copy(layout.first, "vision_model.embeddings.class_embedding");
  collector.copy_pair(layout.first_norm, "vision_model.pre_layrnorm");
  collect_tower(collector, layout.vision, "vision_model");
  collector.copy_pair(layout.vision.last_norm, "vision_model.post_layernorm");
  collector.add("text_projection.weight", {layout.joint, layout.text.shape.width},
                read_projection(folder, layout.text, layout.joint));
  collector.add("visual_projection.weight", {layout.joint, layout.vision.shape.width},
                read_projection(folder, layout.vision, layout.joint));
  return model;
}

}  // namespace capella::encoder
