#include "encoder/clip_layout.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "encoder/activation.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kMostLayers = 1000;
constexpr std::size_t kHeadWidth = 64;  // of every CLIP that was published

// What one tower is called in files. Names of tensors are without ".weight" where there is a bias.
struct TowerNames {
  std::string config;       // the member of Hugging Face's configuration
  std::string open_config;  // ... and of OpenCLIP's
  std::string places;
  std::string layer;  // "...{}." of layer 0, 1, ...
  std::string last_norm;
  std::string projection;
  bool fused = false;  // OpenAI: one projection for query, key and value; the last projection transposed
};

struct Names {
  TowerNames text;
  TowerNames vision;
  std::string words;
  std::string patches;
  std::string first;
  std::string first_norm;
};

Names hugging_face(const std::string& p) {
  return {.text = {"text_config", "text_cfg", p + "text_model.embeddings.position_embedding.weight",
                   p + "text_model.encoder.layers.", p + "text_model.final_layer_norm",
                   p + "text_projection.weight"},
          .vision = {"vision_config", "vision_cfg", p + "vision_model.embeddings.position_embedding.weight",
                     p + "vision_model.encoder.layers.", p + "vision_model.post_layernorm",
                     p + "visual_projection.weight"},
          .words = p + "text_model.embeddings.token_embedding.weight",
          .patches = p + "vision_model.embeddings.patch_embedding.weight",
          .first = p + "vision_model.embeddings.class_embedding",
          .first_norm = p + "vision_model.pre_layrnorm"};
}

Names open_ai(const std::string& p) {
  return {.text = {"text_config", "text_cfg", p + "positional_embedding", p + "transformer.resblocks.",
                   p + "ln_final", p + "text_projection", true},
          .vision = {"vision_config", "vision_cfg", p + "visual.positional_embedding",
                     p + "visual.transformer.resblocks.", p + "visual.ln_post", p + "visual.proj", true},
          .words = p + "token_embedding.weight",
          .patches = p + "visual.conv1.weight",
          .first = p + "visual.class_embedding",
          .first_norm = p + "visual.ln_pre"};
}

Names find_names(const ModelFolder& folder) {
  if (const auto prefix = folder.prefix_of("vision_model.embeddings.patch_embedding.weight"))
    return hugging_face(*prefix);
  if (const auto prefix = folder.prefix_of("visual.conv1.weight")) return open_ai(*prefix);
  folder.reject(
      "there is neither a tensor 'vision_model.embeddings.patch_embedding.weight' nor 'visual.conv1.weight', "
      "expected the weights of a CLIP with both towers");
}

LayerNames layer_names(const TowerNames& tower, std::size_t number) {
  const std::string layer = fmt::format("{}{}.", tower.layer, number);
  if (tower.fused) {
    return {.query = {},
            .key = {},
            .value = {},
            .in_projection = layer + "attn.in_proj",
            .out = layer + "attn.out_proj",
            .first_norm = layer + "ln_1",
            .up = layer + "mlp.c_fc",
            .down = layer + "mlp.c_proj",
            .second_norm = layer + "ln_2"};
  }
  return {.query = layer + "self_attn.q_proj",
          .key = layer + "self_attn.k_proj",
          .value = layer + "self_attn.v_proj",
          .in_projection = {},
          .out = layer + "self_attn.out_proj",
          .first_norm = layer + "layer_norm1",
          .up = layer + "mlp.fc1",
          .down = layer + "mlp.fc2",
          .second_norm = layer + "layer_norm2"};
}

std::size_t heads_of(const ModelFolder& folder, const TowerNames& tower, std::size_t width) {
  const std::size_t usual = std::max<std::size_t>(width / kHeadWidth, 1);
  if (folder.find("model_cfg")) {
    const std::string open = "model_cfg." + tower.open_config;
    const std::size_t head = folder.number(open + ".head_width", kHeadWidth);
    return folder.number(open + ".heads", std::max<std::size_t>(width / head, 1));
  }
  return folder.number(tower.config + ".num_attention_heads", usual);
}

// OpenCLIP's configuration says only when it is not the exact gelu, OpenAI's weights say nothing.
tensor::After activation_of(const ModelFolder& folder, const TowerNames& tower) {
  if (const auto* open = folder.find("model_cfg")) {
    const auto quick = open->find("quick_gelu");
    return quick != open->end() && *quick == true ? tensor::After::kQuickGelu : tensor::After::kGelu;
  }
  const tensor::After usual = activation(folder, "hidden_act", tensor::After::kQuickGelu);
  return activation(folder, tower.config + ".hidden_act", usual);
}

std::size_t layer_count(const ModelFolder& folder, const TowerNames& tower) {
  const std::string mark = tower.fused ? ".ln_1.weight" : ".layer_norm1.weight";
  std::size_t count = 0;
  while (count < kMostLayers && folder.has(fmt::format("{}{}{}", tower.layer, count, mark))) ++count;
  return count;
}

ClipTower tower_of(const ModelFolder& folder, const TowerNames& names, std::size_t width, bool causal) {
  ClipTower tower;
  const std::size_t count =
      folder.number(names.config + ".num_hidden_layers", layer_count(folder, names), kMostLayers);
  for (std::size_t number = 0; number < count; ++number) tower.layers.push_back(layer_names(names, number));
  if (tower.layers.empty())
    folder.reject(fmt::format("there is no layer '{}0', expected at least one", names.layer));
  tower.shape = {.width = width,
                 .heads = heads_of(folder, names, width),
                 .inner = size_of(folder, tower.layers.front().up + ".weight", 2, 0),
                 .norm = NormPlace::kBefore,
                 .activation = activation_of(folder, names),
                 .epsilon = static_cast<float>(folder.real(names.config + ".layer_norm_eps", 1e-5, 1.0)),
                 .causal = causal};
  tower.places = names.places;
  tower.last_norm = names.last_norm;
  tower.projection = names.projection;
  tower.fused = names.fused;
  return tower;
}

// Where texts are read.
void find_end(const ModelFolder& folder, ClipLayout& layout) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (layout.vocabulary > kMost)
    folder.reject(fmt::format("the vocabulary has {} tokens", layout.vocabulary));
  // Old configurations have an end that no text has; what they mean is the greatest number.
  const std::size_t last = layout.vocabulary - 1, end = folder.number("text_config.eos_token_id", 2);
  layout.end_is_greatest = layout.text.fused || end == 2;
  layout.end = static_cast<std::int32_t>(layout.end_is_greatest ? last : std::min(end, last));
}

}  // namespace

ClipLayout clip_layout(const ModelFolder& folder) {
  const Names names = find_names(folder);
  ClipLayout layout;
  layout.joint = size_of(folder, names.text.projection, 2, names.text.fused ? 1 : 0);
  layout.words = names.words;
  layout.patches = names.patches;
  layout.first = names.first;
  layout.first_norm = names.first_norm;
  layout.vocabulary = size_of(folder, names.words, 2, 0);
  layout.text = tower_of(folder, names.text, size_of(folder, names.words, 2, 1), true);
  layout.vision = tower_of(folder, names.vision, size_of(folder, names.patches, 4, 0), false);
  find_end(folder, layout);
  return layout;
}

std::size_t size_of(const ModelFolder& folder, const std::string& name, std::size_t axes, std::size_t axis) {
  const tensor::Shape shape = folder.shape(name);
  if (shape.size() != axes || shape[axis] == 0)
    folder.reject(
        fmt::format("tensor '{}' has {} axes, expected {} and none of size 0", name, shape.size(), axes));
  return shape[axis];
}

std::vector<float> read_projection(const ModelFolder& folder, const ClipTower& tower, std::size_t joint) {
  const std::size_t width = tower.shape.width;
  if (!tower.fused) return folder.floats(tower.projection, {joint, width});
  const std::vector<float> from = folder.floats(tower.projection, {width, joint});
  std::vector<float> turned(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) turned[i % joint * width + i / joint] = from[i];
  return turned;
}

}  // namespace capella::encoder
