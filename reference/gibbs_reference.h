// Gibbs sampling from the definitions: all worlds listed, conditionals as quotients of two worlds' weights,
// one chain at a time in doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/factor_graph.h"

namespace capella::reference {

/// The logarithm of a world's weight, without the offset.
double log_weight(const logic::FactorGraph& graph, const std::vector<bool>& world);

/// World k has variable v true if bit v of k is set. At most 20 variables.
std::vector<double> world_probabilities(const logic::FactorGraph& graph);

/// One per variable.
std::vector<double> marginals(const logic::FactorGraph& graph);

/// P(variable is true | all others).
double conditional(const logic::FactorGraph& graph, std::vector<bool> world, std::size_t variable);

/// xoshiro128+ as published.
class Xoshiro128Plus {
 public:
  Xoshiro128Plus(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) : s_{a, b, c, d} {}
  std::uint32_t next();

 private:
  std::uint32_t s_[4];
};

}  // namespace capella::reference
