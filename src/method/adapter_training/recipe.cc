// Standard library only: the torch plug-in is built with this file, too.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "method/adapter_training/trainer.h"

namespace capella::method::adapter_training {
namespace {

constexpr std::size_t kMostRank = 4096;
constexpr std::size_t kMostReferences = 1000;

bool is_decay(double value) {
  return value >= 0 && value < 1;
}

template <class Number>
std::string problem(const char* option, Number found, const std::string& expected) {
  std::ostringstream text;
  text << option << " is " << found << ", expected " << expected;
  return text.str();
}

}  // namespace

// The numbers that can be asked for are called as the command line calls them.
std::string recipe_problem(const Recipe& recipe) {
  if (recipe.rank < 1 || recipe.rank > kMostRank)
    return problem("--rank", recipe.rank, "1 to " + std::to_string(kMostRank));
  if (!(recipe.alpha > 0 && recipe.alpha <= 1e6))
    return problem("--alpha", recipe.alpha, "a number above 0, at most a million");
  if (recipe.batch < 2) return problem("--batch", recipe.batch, "two images or more to be told apart");
  if (recipe.references < 1 || recipe.references > kMostReferences)
    return problem("--references", recipe.references, "1 to " + std::to_string(kMostReferences));
  if (!(recipe.temperature >= .001 && recipe.temperature <= 10))
    return problem("--temperature", recipe.temperature, "0.001 to 10");
  if (recipe.rated_batch == 1 || recipe.rated_batch == 2)
    return problem("--rated-batch", recipe.rated_batch,
                   "three captions or more, since two always lie on a line");
  if (!(recipe.rated_weight > 0 && recipe.rated_weight <= 1e6))
    return problem("--rated-weight", recipe.rated_weight, "a number above 0, at most a million");
  if (recipe.total_steps < 1) return problem("--steps", recipe.total_steps, "1 or more");
  if (recipe.warm_up > recipe.total_steps)
    return problem("--warm-up", recipe.warm_up,
                   "no more than there are --steps, " + std::to_string(recipe.total_steps));
  if (!(recipe.rate > 0 && std::isfinite(recipe.rate)))
    return problem("--rate", recipe.rate, "a finite number above 0");
  if (!(recipe.epsilon > 0 && recipe.weight_decay >= 0 && recipe.most_gradient >= 0) ||
      !std::isfinite(recipe.epsilon + recipe.weight_decay + recipe.most_gradient))
    return "epsilon must be above 0, weight decay and the gradient's greatest length 0 or above";
  if (!is_decay(recipe.mean_decay) || !is_decay(recipe.square_decay))
    return "Adam's decays are not from 0 up to (but below) 1";
  return "";
}

double rate_after(const Recipe& recipe, std::size_t done) {
  const auto step = static_cast<double>(done);
  const double warmth =
      recipe.warm_up == 0 ? 1 : std::min(1.0, (step + 1) / static_cast<double>(recipe.warm_up));
  return recipe.rate * warmth * std::max(0.0, 1 - step / static_cast<double>(recipe.total_steps));
}

}  // namespace capella::method::adapter_training
