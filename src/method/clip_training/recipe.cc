// Standard library only: the torch plug-in is built with this file, too.
#include <cmath>
#include <limits>

#include "method/clip_training/trainer.h"

namespace capella::method::clip_training {
namespace {

constexpr std::size_t kMostWidth = std::size_t{1} << 14;
constexpr std::size_t kMostLayers = 256;

bool is_number(std::size_t value, std::size_t most) {
  return value >= 1 && value <= most;
}

std::string tower_problem(const TowerSize& tower, const std::string& name) {
  if (!is_number(tower.width, kMostWidth) || !is_number(tower.layers, kMostLayers) || tower.heads == 0)
    return "the " + name + " tower has no or too many layers, heads or numbers";
  if (tower.width % tower.heads != 0)
    return "the " + name + " tower's " + std::to_string(tower.width) + " numbers cannot be shared among " +
           std::to_string(tower.heads) + " heads";
  return "";
}

std::size_t tower_count(const TowerSize& tower) {
  const std::size_t w = tower.width;
  return tower.layers * (4 * (w * w + w) + 2 * 2 * w + (w * 4 * w + 4 * w) + (4 * w * w + w));
}

}  // namespace

std::string recipe_problem(const Recipe& recipe) {
  if (const std::string problem = tower_problem(recipe.vision, "vision"); !problem.empty()) return problem;
  if (const std::string problem = tower_problem(recipe.text, "text"); !problem.empty()) return problem;
  if (!is_number(recipe.patch, kMostWidth) || !is_number(recipe.image_size, kMostWidth) ||
      recipe.image_size % recipe.patch != 0)
    return "pictures of " + std::to_string(recipe.image_size) + " pixels cannot be cut into patches of " +
           std::to_string(recipe.patch);
  constexpr auto kMostIds = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (!is_number(recipe.vocabulary, kMostIds) || recipe.end < 0 ||
      static_cast<std::size_t>(recipe.end) >= recipe.vocabulary)
    return "the end token " + std::to_string(recipe.end) + " is not one of the vocabulary's " +
           std::to_string(recipe.vocabulary);
  if (!is_number(recipe.most_tokens, kMostWidth) || !is_number(recipe.joint, kMostWidth))
    return "captions or the vectors that are compared have no or too many numbers";
  for (const float deviation : recipe.deviation) {
    if (!(deviation > 0)) return "the deviation of pixels must be above 0";
  }
  if (!(recipe.temperature >= .01 && recipe.temperature <= 10))
    return "the temperature is not from .01 to 10";
  if (!(recipe.rate > 0 && recipe.epsilon > 0 && recipe.weight_decay >= 0 && recipe.most_gradient >= 0) ||
      !std::isfinite(recipe.rate + recipe.weight_decay))
    return "the rate and epsilon must be above 0, weight decay and the gradient's greatest length 0 or above";
  if (!(recipe.mean_decay >= 0 && recipe.mean_decay < 1 && recipe.square_decay >= 0 &&
        recipe.square_decay < 1))
    return "Adam's decays are not from 0 up to (but below) 1";
  return recipe.batch >= 2 ? "" : "a batch has fewer than two pairs, from which nothing can be learnt";
}

std::size_t parameter_count(const Recipe& recipe) {
  const std::size_t v = recipe.vision.width, t = recipe.text.width;
  const std::size_t side = recipe.image_size / recipe.patch;
  const std::size_t pictures = v * 3 * recipe.patch * recipe.patch + v + (1 + side * side) * v + 4 * v;
  const std::size_t captions = (recipe.vocabulary + recipe.most_tokens) * t + 2 * t;
  return pictures + captions + tower_count(recipe.vision) + tower_count(recipe.text) +
         recipe.joint * (v + t) + 1;
}

}  // namespace capella::method::clip_training
