// Gated-attention pooling from its formulas, in long double, one number at a time: the answer, the attention,
// the loss, and the slope of the loss in each number by the chain rule.
#pragma once

#include <vector>

#include "method/mln/attention/attention.h"

namespace capella::reference {

struct AttentionReference {
  std::vector<long double> attention;
  long double logit = 0;
  long double probability = 0;  ///< not calibrated
  long double loss = 0;         ///< of the truth that was given
  /// In the order of AttentionNetwork::arrays().
  std::vector<std::vector<long double>> gradient;
};

AttentionReference attention_reference(const method::mln::AttentionNetwork& network,
                                       const method::mln::Bag& bag, bool positive);

}  // namespace capella::reference
