#include "reference/gibbs_reference.h"

#include <algorithm>
#include <cmath>

namespace capella::reference {
namespace {

std::vector<bool> world_of(std::size_t number, std::size_t variables) {
  std::vector<bool> world(variables);
  for (std::size_t v = 0; v < variables; ++v) world[v] = (number >> v) & 1;
  return world;
}

std::uint32_t rotate_left(std::uint32_t x, int k) {
  return (x << k) | (x >> (32 - k));
}

}  // namespace

double log_weight(const logic::FactorGraph& graph, const std::vector<bool>& world) {
  double result = 0;
  for (std::size_t v = 0; v < world.size(); ++v) {
    if (world[v]) result += graph.log_odds[v];
  }
  for (std::size_t k = 0; k < graph.factors(); ++k) {
    bool holds = true;
    for (const logic::Literal literal : graph.factor(k)) {
      holds = holds && world[literal.atom()] == literal.positive();
    }
    if (holds) result += graph.weights[k];
  }
  return result;
}

std::vector<double> world_probabilities(const logic::FactorGraph& graph) {
  const std::size_t variables = graph.variables();
  std::vector<double> result(std::size_t{1} << variables);
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = log_weight(graph, world_of(k, variables));
  const double most = *std::max_element(result.begin(), result.end());
  double total = 0;
  for (double& weight : result) total += weight = std::exp(weight - most);
  for (double& weight : result) weight /= total;
  return result;
}

std::vector<double> marginals(const logic::FactorGraph& graph) {
  const std::vector<double> worlds = world_probabilities(graph);
  std::vector<double> result(graph.variables(), 0.0);
  for (std::size_t k = 0; k < worlds.size(); ++k) {
    for (std::size_t v = 0; v < result.size(); ++v) result[v] += (k >> v) & 1 ? worlds[k] : 0.0;
  }
  return result;
}

double conditional(const logic::FactorGraph& graph, std::vector<bool> world, std::size_t variable) {
  world[variable] = true;
  const double with = log_weight(graph, world);
  world[variable] = false;
  const double without = log_weight(graph, world);
  return 1 / (1 + std::exp(without - with));
}

std::uint32_t Xoshiro128Plus::next() {
  const std::uint32_t result = s_[0] + s_[3];
  const std::uint32_t t = s_[1] << 9;
  s_[2] ^= s_[0];
  s_[3] ^= s_[1];
  s_[1] ^= s_[2];
  s_[0] ^= s_[3];
  s_[2] ^= t;
  s_[3] = rotate_left(s_[3], 11);
  return result;
}

}  // namespace capella::reference
