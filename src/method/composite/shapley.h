// How much each input moves the answer of a network away from its answer to the mean caption: Shapley values,
// exact.
//
// The value of a set of inputs is the answer when these have the caption's scores and the others have the
// mean of the training captions. An input's share is what it adds, averaged over all orders in which inputs
// can be turned from the mean to the caption's; the shares add up to the whole difference (Shapley 1953;
// Lundberg and Lee 2017 for this use).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "method/composite/model.h"

namespace capella::method::composite {

/// More cannot be explained: the work doubles with each.
inline constexpr std::size_t kMostInputs = 20;

struct Shares {
  double start = 0;            ///< P(human) of the mean caption
  double end = 0;              ///< P(human) of this caption
  std::vector<double> shares;  ///< one per input; they add up to end - start
};

/// Throws UsageError for more than kMostInputs inputs.
Shares explain_inputs(const Model& model, std::span<const double> scores);

}  // namespace capella::method::composite
