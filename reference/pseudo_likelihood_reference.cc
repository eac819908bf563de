#include "reference/pseudo_likelihood_reference.h"

#include <cmath>

namespace capella::reference {
namespace {

using logic::GroundFormula;
using logic::GroundNetwork;
using logic::kHard;

bool holds(const GroundFormula& grounding, const std::vector<bool>& world) {
  bool all = true;
  bool any = false;
  for (const logic::Literal literal : grounding.literals) {
    const bool is_true = world[literal.atom()] == literal.positive();
    all = all && is_true;
    any = any || is_true;
  }
  return grounding.kind == GroundFormula::Kind::conjunction ? all : any;
}

bool possible(const GroundNetwork& network, const std::vector<bool>& world) {
  for (std::size_t k = 0; k < network.size(); ++k) {
    if (network.formulas[network[k].formula].weight == kHard && !holds(network[k], world)) return false;
  }
  return true;
}

long double log_weight(const std::vector<double>& counts, const std::vector<double>& weights) {
  long double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) sum += static_cast<long double>(counts[i]) * weights[i];
  }
  return sum;
}

}  // namespace

std::vector<double> true_groundings(const GroundNetwork& network, const std::vector<bool>& world) {
  std::vector<double> counts(network.formulas.size());
  for (std::size_t k = 0; k < network.size(); ++k) {
    const GroundFormula grounding = network[k];
    if (network.formulas[grounding.formula].weight != kHard && holds(grounding, world))
      counts[grounding.formula] += grounding.coefficient;
  }
  return counts;
}

ObjectiveAt pseudo_likelihood(const GroundNetwork& network, const std::vector<bool>& world,
                              const std::vector<double>& weights) {
  ObjectiveAt result;
  result.gradient.resize(weights.size());
  const std::vector<double> here = true_groundings(network, world);
  for (std::size_t atom = 0; atom < world.size(); ++atom) {
    std::vector<bool> other = world;
    other[atom] = true;
    const std::vector<double> counts1 = true_groundings(network, other);
    other[atom] = false;
    const std::vector<double> counts0 = true_groundings(network, other);
    const long double z = log_weight(counts1, weights) - log_weight(counts0, weights);
    const long double p1 = 1 / (1 + std::exp(-z));
    const long double p0 = 1 / (1 + std::exp(z));
    result.value += static_cast<double>(std::log(world[atom] ? p1 : p0));
    for (std::size_t i = 0; i < weights.size(); ++i)
      result.gradient[i] += static_cast<double>(here[i] - p0 * counts0[i] - p1 * counts1[i]);
  }
  return result;
}

ObjectiveAt likelihood(const GroundNetwork& network, const std::vector<bool>& world,
                       const std::vector<double>& weights) {
  long double z = 0;
  std::vector<long double> expected(weights.size());
  for (std::size_t number = 0; number < std::size_t{1} << world.size(); ++number) {
    std::vector<bool> other(world.size());
    for (std::size_t atom = 0; atom < world.size(); ++atom) other[atom] = (number >> atom) % 2 == 1;
    if (!possible(network, other)) continue;
    const std::vector<double> counts = true_groundings(network, other);
    const long double weight = std::exp(log_weight(counts, weights));
    z += weight;
    for (std::size_t i = 0; i < weights.size(); ++i) expected[i] += weight * counts[i];
  }
  const std::vector<double> here = true_groundings(network, world);
  ObjectiveAt result;
  result.value = static_cast<double>(log_weight(here, weights) - std::log(z));
  for (std::size_t i = 0; i < weights.size(); ++i)
    result.gradient.push_back(static_cast<double>(here[i] - expected[i] / z));
  return result;
}

}  // namespace capella::reference
