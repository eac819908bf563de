#include "method/deneb/released_layout.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "encoder/model_folder.h"
#include "encoder/sim_vec_head.h"

namespace capella::method::deneb {
namespace {

// What the authors' object holds beside the network: CLIP, RoBERTa, tables of sines.
constexpr std::string_view kOthers[] = {"pacs_clip.", "clip.", "encoder.", "pos_encoder.", "pos_encoder2."};

// Our name of an array of the network; empty for one of something else.
std::string our_name(std::string_view name, const encoder::SimVecShape& shape) {
  if (name.starts_with(shape.last_prefix + "linear_"))
    return "ff." + std::string(name.substr(shape.last_prefix.size()));
  if (!name.starts_with(shape.prefix)) return "";
  name.remove_prefix(shape.prefix.size());
  const bool other =
      std::ranges::any_of(kOthers, [&](std::string_view prefix) { return name.starts_with(prefix); });
  return other ? "" : std::string(name);
}

std::vector<NetworkArray> read_arrays(const encoder::ModelFolder& file, const encoder::SimVecShape& shape) {
  std::vector<NetworkArray> arrays;
  for (const std::string& name : file.names()) {
    std::string ours = our_name(name, shape);
    if (ours.empty()) continue;
    const tensor::Shape sizes = file.shape(name);
    arrays.push_back({std::move(ours), sizes, file.floats(name, sizes)});
  }
  return arrays;
}

Recipe recipe_of(const encoder::SimVecShape& shape) {
  Recipe made = recipe(Architecture::released);
  made.clip_width = shape.clip_width;
  made.sentence_width = shape.sentence_width;
  made.image = shape.image;
  made.width = shape.width;
  made.layers = shape.layers;
  made.heads = shape.heads;
  made.feed_forward = shape.inner;
  made.hidden = shape.hidden;
  return made;
}

bool has(const Model& model, const std::string& name) {
  return std::ranges::find(model.arrays, name, &NetworkArray::name) != model.arrays.end();
}

std::size_t mixed_layers(const Model& model) {
  std::size_t layers = 0;
  while (has(model, fmt::format("scalar_mix.scalar_parameters.{}", layers))) ++layers;
  return std::max<std::size_t>(layers, 1);
}

}  // namespace

Model read_released(const std::string& path, const ModelReading& reading) {
  const encoder::ModelFolder file(path, {{"heads", reading.heads}});
  const encoder::SimVecShape shape = encoder::sim_vec_shape(file);
  Model model;
  model.arrays = read_arrays(file, shape);
  model.recipe = recipe_of(shape);
  model.recipe.sentence_layers = mixed_layers(model);
  if (model.recipe.sentence_layers > 1 && !has(model, kMixMean)) {
    model.recipe.mix = MixStatistics::batch;
    model.recipe.cut_references = true;
  }
  if (model.recipe.clip_width > 0) model.encoders.clip = EncoderFacts{};
  if (model.recipe.sentence_width > 0) model.encoders.sentence = EncoderFacts{};
  return model;
}

}  // namespace capella::method::deneb
