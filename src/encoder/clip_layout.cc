#include "encoder/clip_layout.h"

#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "encoder/activation.h"
#include "encoder/model_checks.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kHeadWidth = 64;  // of OpenCLIP's class for pictures

// Of Hugging Face's classes, whose configurations may leave them out.
struct Usual {
  std::size_t heads;
  std::size_t layers;
};
constexpr Usual kUsualText = {8, 12}, kUsualVision = {12, 12};

// What one tower is called in files. Names of tensors are without ".weight" where there is a bias.
struct TowerNames {
  std::string config;       // the member of Hugging Face's configuration
  std::string open_config;  // ... and of OpenCLIP's
  std::string places;
  std::string layer;  // "...{}." of layer 0, 1, ...
  std::string last_norm;
  std::string projection;
  Usual usual;
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
                   p + "text_projection.weight", kUsualText},
          .vision = {"vision_config", "vision_cfg", p + "vision_model.embeddings.position_embedding.weight",
                     p + "vision_model.encoder.layers.", p + "vision_model.post_layernorm",
                     p + "visual_projection.weight", kUsualVision},
          .words = p + "text_model.embeddings.token_embedding.weight",
          .patches = p + "vision_model.embeddings.patch_embedding.weight",
          .first = p + "vision_model.embeddings.class_embedding",
          .first_norm = p + "vision_model.pre_layrnorm"};
}

Names open_ai(const std::string& p) {
  return {.text = {"text_config", "text_cfg", p + "positional_embedding", p + "transformer.resblocks.",
                   p + "ln_final", p + "text_projection", kUsualText, true},
          .vision = {"vision_config", "vision_cfg", p + "visual.positional_embedding",
                     p + "visual.transformer.resblocks.", p + "visual.ln_post", p + "visual.proj",
                     kUsualVision, true},
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

// Whether the configuration is one of Hugging Face's own, which leaves out what its class has anyway.
bool is_class_config(const ModelFolder& folder) {
  return folder.text("model_type") == "clip";
}

std::optional<std::size_t> usual(const ModelFolder& folder, std::size_t value) {
  return is_class_config(folder) ? std::optional(value) : std::nullopt;
}

// What tensors do not show must be told: heads of 64 numbers and quick gelu are right for many models and
// quietly wrong for the others.
void expect_facts(const ModelFolder& folder) {
  std::vector<std::string> missing;
  const auto need = [&](const std::string& key) {
    if (!folder.find(key)) missing.push_back(fmt::format("'{}'", key));
  };
  if (folder.find("model_cfg")) {
    need("model_cfg.text_cfg.heads");
  } else if (!is_class_config(folder)) {
    for (const std::string tower : {"text_config", "vision_config"}) {
      need(tower + ".num_attention_heads");
      if (!folder.find("hidden_act")) need(tower + ".hidden_act");
    }
  }
  if (missing.empty()) return;
  folder.reject(
      fmt::format("{} {}, which the weights do not show; expected the config.json (OpenCLIP: "
                  "open_clip_config.json) that belongs to them beside them",
                  folder.config().empty() ? "there is no configuration, or an empty one, to tell"
                                          : "the configuration does not tell",
                  fmt::join(missing, ", ")));
}

std::size_t heads_of(const ModelFolder& folder, const TowerNames& tower, std::size_t width) {
  std::string key = tower.config + ".num_attention_heads";
  if (folder.find("model_cfg")) {
    const std::string open = "model_cfg." + tower.open_config;
    key = open + ".heads";
    if (!folder.find(key)) {
      const std::size_t head = folder.number(open + ".head_width", kHeadWidth);
      if (width % head != 0)
        folder.reject(fmt::format("heads of {} numbers ('{}.head_width') cannot share a width of {}", head,
                                  open, width));
      return width / head;
    }
  }
  const std::size_t heads = folder.number(key, tower.usual.heads);
  expect_heads(folder, key, heads, width);
  return heads;
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
  if (folder.find("model_cfg"))
    return expect_layers(folder, fmt::format("model_cfg.{}.layers", tower.open_config), tower.layer);
  return expect_layers(folder, tower.config + ".num_hidden_layers", tower.layer,
                       usual(folder, tower.usual.layers));
}

// Sizes that the configuration tells, too.
void expect_sizes(const ModelFolder& folder, const Names& names) {
  const TowerNames &text = names.text, &vision = names.vision;
  const std::size_t joint = text.fused ? 1 : 0;
  if (folder.find("model_cfg")) {
    for (const ToldSize& size : {ToldSize{"model_cfg.embed_dim", text.projection, joint},
                                 ToldSize{"model_cfg.text_cfg.width", names.words, 1},
                                 ToldSize{"model_cfg.text_cfg.vocab_size", names.words, 0},
                                 ToldSize{"model_cfg.text_cfg.context_length", text.places, 0},
                                 ToldSize{"model_cfg.vision_cfg.width", names.patches, 0},
                                 ToldSize{"model_cfg.vision_cfg.patch_size", names.patches, 2}})
      expect_size(folder, size);
    return;
  }
  const auto up = [](const TowerNames& tower) { return layer_names(tower, 0).up + ".weight"; };
  for (const ToldSize& size :
       {ToldSize{"projection_dim", text.projection, joint, usual(folder, 512)},
        ToldSize{"text_config.hidden_size", names.words, 1, usual(folder, 512)},
        ToldSize{"text_config.vocab_size", names.words, 0, usual(folder, 49408)},
        ToldSize{"text_config.max_position_embeddings", text.places, 0, usual(folder, 77)},
        ToldSize{"text_config.intermediate_size", up(text), 0, usual(folder, 2048)},
        ToldSize{"vision_config.hidden_size", names.patches, 0, usual(folder, 768)},
        ToldSize{"vision_config.patch_size", names.patches, 2, usual(folder, 32)},
        ToldSize{"vision_config.intermediate_size", up(vision), 0, usual(folder, 3072)}})
    expect_size(folder, size);
}

ClipTower tower_of(const ModelFolder& folder, const TowerNames& names, std::size_t width, bool causal) {
  ClipTower tower;
  const std::size_t count = layer_count(folder, names);
  for (std::size_t number = 0; number < count; ++number) tower.layers.push_back(layer_names(names, number));
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
  if (!layout.end_is_greatest && end > last)
    folder.reject(
        fmt::format("the configuration's 'text_config.eos_token_id' is {}, but tensor '{}' has {} rows", end,
                    layout.words, layout.vocabulary));
  layout.end = static_cast<std::int32_t>(layout.end_is_greatest ? last : end);
}

}  // namespace

ClipLayout clip_layout(const ModelFolder& folder) {
  const Names names = find_names(folder);
  expect_facts(folder);
  ClipLayout layout;
  layout.joint = size_of(folder, names.text.projection, 2, names.text.fused ? 1 : 0);
  layout.words = names.words;
  layout.patches = names.patches;
  layout.first = names.first;
  layout.first_norm = names.first_norm;
  layout.vocabulary = size_of(folder, names.words, 2, 0);
  layout.text = tower_of(folder, names.text, size_of(folder, names.words, 2, 1), true);
  layout.vision = tower_of(folder, names.vision, size_of(folder, names.patches, 4, 0), false);
  expect_sizes(folder, names);
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
