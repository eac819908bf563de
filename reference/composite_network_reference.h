// The composite metrics' network from its formulas, in long double, one row and one number at a time: its
// answer, its loss, the gradient of the loss, and shares of inputs by going through all orders.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "method/composite/network.h"
#include "method/composite/train.h"

namespace capella::reference {

using LongRow = std::vector<long double>;

struct LongLayer {
  std::vector<LongRow> weights;  ///< [output][input]
  LongRow biases;
};

using LongNetwork = std::vector<LongLayer>;

LongNetwork composite_network(const method::composite::Network& network);

/// P(machine), P(human).
LongRow composite_answer(const LongNetwork& network, const LongRow& inputs);

/// The mean of -ln P(right class) over all examples, plus l2 / 2 times the sum of squared weights.
long double composite_loss(const LongNetwork& network, const method::composite::Examples& examples,
                           long double l2);

/// The loss's slope in each weight and bias, by the chain rule. The slope of ReLU at 0 is 0.
LongNetwork composite_gradient(const LongNetwork& network, const method::composite::Examples& examples,
                               long double l2);

/// What each of `inputs` things adds to `value` (of a set of them), averaged over all orders of the things.
LongRow shares_over_all_orders(std::size_t inputs,
                               const std::function<long double(const std::vector<bool>&)>& value);

}  // namespace capella::reference
