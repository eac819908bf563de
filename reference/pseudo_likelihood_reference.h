// Pseudo-likelihood and likelihood of a world by their definitions: true groundings are counted in whole
// worlds, again for every atom; worlds are enumerated.
#pragma once

#include <vector>

#include "logic/ground/ground_network.h"

namespace capella::reference {

/// How many groundings of each formula hold; hard formulas have 0.
std::vector<double> true_groundings(const logic::GroundNetwork& network, const std::vector<bool>& world);

struct ObjectiveAt {
  double value = 0;
  std::vector<double> gradient;
};

/// The sum over atoms of ln P(atom | others), and its gradient as the paper has it: n(x) - P(x0) n(x0) -
/// P(x1) n(x1), added up over atoms.
ObjectiveAt pseudo_likelihood(const logic::GroundNetwork& network, const std::vector<bool>& world,
                              const std::vector<double>& weights);

/// ln P(world) and its gradient, by a sum over all worlds that obey the hard formulas.
ObjectiveAt likelihood(const logic::GroundNetwork& network, const std::vector<bool>& world,
                       const std::vector<double>& weights);

}  // namespace capella::reference
