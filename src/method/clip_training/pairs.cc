#include "method/clip_training/pairs.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/random.h"
#include "method/training_loop.h"

namespace capella::method::clip_training {
namespace {

std::vector<std::string> all_wordings(std::span<const std::string_view> captions) {
  std::vector<std::string> texts;
  texts.reserve(captions.size() * kWordings.size());
  for (const std::string_view caption : captions) {
    for (const std::string_view wording : kWordings) texts.push_back(std::string(wording).append(caption));
  }
  return texts;
}

// Rows of length 1.
std::vector<double> directions(std::span<const float> rows, std::size_t width) {
  std::vector<double> result(rows.begin(), rows.end());
  for (std::size_t begin = 0; begin < result.size(); begin += width) {
    double squares = 0;
    for (std::size_t k = 0; k < width; ++k) squares += result[begin + k] * result[begin + k];
    const double length = std::sqrt(squares);
    for (std::size_t k = 0; k < width && length > 0; ++k) result[begin + k] /= length;
  }
  return result;
}

// How often no row of `others` is as near to row i of `rows` as its own, row i.
double share_found(const std::vector<double>& rows, const std::vector<double>& others, std::size_t width) {
  const std::size_t count = rows.size() / width;
  const auto product = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += rows[i * width + k] * others[j * width + k];
    return sum;
  };
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double own = product(i, i);
    bool nearest = true;
    for (std::size_t j = 0; j < count && nearest; ++j) nearest = j == i || product(i, j) < own;
    found += nearest ? 1 : 0;
  }
  return count == 0 ? 0 : static_cast<double>(found) / static_cast<double>(count);
}

nlohmann::json tower_json(const TowerSize& tower) {
  return {{"hidden_size", tower.width},        {"intermediate_size", 4 * tower.width},
          {"num_hidden_layers", tower.layers}, {"num_attention_heads", tower.heads},
          {"hidden_act", "quick_gelu"},        {"layer_norm_eps", 1e-5}};
}

}  // namespace

encoder::LearntVocabulary learn_vocabulary(std::span<const std::string_view> captions,
                                           std::size_t most_merges) {
  const std::vector<std::string> texts = all_wordings(captions);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return encoder::learn_clip_vocabulary(views, most_merges);
}

std::size_t longest_caption(const encoder::Tokenizer& tokenizer, std::span<const std::string_view> captions,
                            std::size_t most) {
  std::size_t longest = 2;
  for (const std::string& text : all_wordings(captions))
    longest = std::max(longest, tokenizer.tokens(text, most).ids.size());
  return longest;
}

Pairs make_pairs(const encoder::Tokenizer& tokenizer, std::span<const std::string_view> captions,
                 std::span<const std::uint32_t> images, std::span<const std::uint8_t> rgb,
                 std::size_t most_tokens) {
  Pairs pairs;
  pairs.rgb = rgb;
  for (const std::string& text : all_wordings(captions))
    pairs.captions.add(tokenizer.tokens(text, most_tokens).ids);
  for (const std::uint32_t image : images)
    pairs.image_of.insert(pairs.image_of.end(), kWordings.size(), image);
  return pairs;
}

std::vector<std::uint32_t> draw_order(std::size_t captions, std::uint64_t seed) {
  std::vector<std::uint32_t> order = epoch_order(captions, seed);
  Random random(seed + 1);
  constexpr auto kCount = static_cast<std::uint32_t>(kWordings.size());
  for (std::uint32_t& caption : order)
    caption = caption * kCount + static_cast<std::uint32_t>(random.below(kCount));
  return order;
}

Retrieval retrieval(std::span<const float> images, std::span<const float> texts, std::size_t width) {
  const std::vector<double> seen = directions(images, width);
  const std::vector<double> told = directions(texts, width);
  return {share_found(seen, told, width), share_found(told, seen, width)};
}

std::string config_text(const Recipe& recipe) {
  nlohmann::json text = tower_json(recipe.text);
  text["vocab_size"] = recipe.vocabulary;
  text["max_position_embeddings"] = recipe.most_tokens;
  text["eos_token_id"] = recipe.end;
  text["bos_token_id"] = recipe.end - 1;
  text["pad_token_id"] = recipe.end;
  text["projection_dim"] = recipe.joint;
  nlohmann::json vision = tower_json(recipe.vision);
  vision["image_size"] = recipe.image_size;
  vision["patch_size"] = recipe.patch;
  vision["projection_dim"] = recipe.joint;
  const nlohmann::json config = {{"architectures", {"CLIPModel"}}, {"model_type", "clip"},
                                 {"projection_dim", recipe.joint}, {"text_config", text},
                                 {"vision_config", vision},        {"torch_dtype", "float32"}};
  return config.dump(2) + "\n";
}

std::string preprocessor_text(const Recipe& recipe) {
  const nlohmann::json config = {{"do_resize", true},
                                 {"size", {{"shortest_edge", recipe.image_size}}},
                                 {"resample", 3},
                                 {"do_center_crop", true},
                                 {"crop_size", {{"height", recipe.image_size}, {"width", recipe.image_size}}},
                                 {"do_normalize", true},
                                 {"image_mean", recipe.mean},
                                 {"image_std", recipe.deviation}};
  return config.dump(2) + "\n";
}

}  // namespace capella::method::clip_training
