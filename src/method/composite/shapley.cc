#include "method/composite/shapley.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::method::composite {
namespace {

// The network's answer to every set of inputs: bit k of the place says that input k is the caption's, not the
// mean.
std::vector<double> answers_to_all_sets(const Network& network, std::span<const double> mean,
                                        std::span<const double> caption) {
  constexpr std::size_t kAtOnce = 4096;
  const std::size_t inputs = caption.size();
  std::vector<double> answers(std::size_t{1} << inputs);
  std::vector<double> rows(std::min(kAtOnce, answers.size()) * inputs);
  for (std::size_t first = 0; first < answers.size(); first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, answers.size() - first);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t k = 0; k < inputs; ++k)
        rows[row * inputs + k] = (first + row) >> k & 1 ? caption[k] : mean[k];
    }
    probabilities(network, std::span(rows).first(count * inputs), std::span(answers).subspan(first, count));
  }
  return answers;
}

// In how many of all orders an input comes right after one certain set of `size` others: size! (inputs - size
// - 1)! of inputs!, that is 1 / (inputs * (inputs - 1 choose size)).
std::vector<double> weights_by_size(std::size_t inputs) {
  std::vector<double> weights;
  double choices = 1;
  for (std::size_t size = 0; size < inputs; ++size) {
    weights.push_back(1 / (static_cast<double>(inputs) * choices));
    choices = choices * static_cast<double>(inputs - 1 - size) / static_cast<double>(size + 1);
  }
  return weights;
}

double share(std::span<const double> answers, std::size_t input, std::span<const double> weights) {
  const std::size_t bit = std::size_t{1} << input;
  double sum = 0;
  for (std::size_t set = 0; set < answers.size(); ++set) {
    if (!(set & bit)) sum += weights[std::popcount(set)] * (answers[set | bit] - answers[set]);
  }
  return sum;
}

}  // namespace

Shares explain_inputs(const Model& model, std::span<const double> scores) {
  if (scores.size() > kMostInputs) {
    throw UsageError(fmt::format("composite metric '{}' has {} inputs; shares are computed for at most {}",
                                 model.name, scores.size(), kMostInputs));
  }
  std::vector<double> means;
  for (const Input& input : model.inputs) means.push_back(input.mean);
  const std::vector<double> answers =
      answers_to_all_sets(model.network, network_inputs(model, means), network_inputs(model, scores));
  const std::vector<double> weights = weights_by_size(scores.size());
  Shares result{.start = answers.front(), .end = answers.back(), .shares = {}};
  for (std::size_t k = 0; k < scores.size(); ++k) result.shares.push_back(share(answers, k, weights));
  return result;
}

}  // namespace capella::method::composite
