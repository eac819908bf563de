// A small feed-forward network that tells human captions from machine ones: ReLU between layers, softmax over
// two outputs at the end. Its answer is P(human), the second output.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/random.h"

namespace capella::method::composite {

/// One layer: outputs x inputs weights, row by row, and a bias for each output.
struct Layer {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::vector<float> weights;
  std::vector<float> biases;
};

struct Network {
  std::vector<Layer> layers;  ///< the last has two outputs: machine, human

  std::size_t inputs() const { return layers.front().inputs; }
};

/// Weights drawn from a normal distribution with deviation sqrt(2 / inputs), biases 0 (He et al. 2015).
/// `sizes`: inputs, hidden layers, 2.
Network make_network(std::span<const std::size_t> sizes, Random& random);

/// Whether all weights and biases are.
bool is_finite(const Network& network);

/// ln(P(human) / P(machine)) for rows of inputs, one after the other. Computed in double precision, sums in
/// order of the inputs; a row's answer depends on that row alone. `out` has one place per row.
void log_odds(const Network& network, std::span<const double> rows, std::span<double> out);

/// P(human) from its log-odds.
double sigmoid(double log_odds);

/// P(human) for one row of inputs. The same bits on every machine but for exp() of the C library.
double probability(const Network& network, std::span<const double> inputs);

/// P(human) for rows of inputs, one after the other: the same bits as one by one, only faster.
void probabilities(const Network& network, std::span<const double> rows, std::span<double> out);

}  // namespace capella::method::composite
