// The conditional of the published text and code: exponentials of weights are summed over formulas, while in
// a Markov logic network weights add up before the exponential. It is no Gibbs kernel of any network's
// distribution; it is here to be compared with.
//
//   P(X = 1) = p A / (p A + (1 - p) B),   A (B) = sum over the atom's ground formulas f of
//                                         exp(weight of f if f holds with X = 1 (0), else 0)
//
// Here formulas are those of the ground network: equal groundings count one by one, and clauses are clauses.
// The sampler's option of the same name works on a FactorGraph instead, where a clause of weight w is a
// conjunction of weight -w, equal groundings are one and formulas of one literal are part of p. Both agree
// where all formulas are distinct conjunctions of several literals, as in the authors' networks.
#pragma once

#include <vector>

#include "logic/ground/ground_network.h"

namespace capella::logic {

/// One per atom, given the others in `world`. Atoms of no formula have their probability p, or 0.5.
std::vector<double> sum_exp_conditionals(const GroundNetwork& network, const std::vector<bool>& world);

/// The same where nothing is known of the other atoms, as the published code does for neutral ones: A and B
/// are means over their values. For a conjunction of two, exp(w) + 1 against 2.
std::vector<double> sum_exp_neutral(const GroundNetwork& network);

}  // namespace capella::logic
