#include "method/composite/adam.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace capella::method::composite {
namespace {

// A weight nearer to 0 than this is 0: it changes no answer. L2 pulls the weights of units that are never on
// towards 0, and floats below 1e-38 make the processor slower by far.
constexpr double kSmallest = 1e-20;

std::size_t numbers(const Network& network) {
  std::size_t count = 0;
  for (const Layer& layer : network.layers) count += layer.weights.size() + layer.biases.size();
  return count;
}

}  // namespace

void Adam::step(Network& network, const Network& gradient, double rate) {
  if (moments_.empty()) moments_.resize(numbers(network));
  assert(moments_.size() == numbers(network) && moments_.size() == numbers(gradient));
  mean_left_ *= kMeanDecay;
  square_left_ *= kSquareDecay;
  Moments* moments = moments_.data();
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Layer& layer = network.layers[l];
    move(layer.weights, gradient.layers[l].weights, rate, moments);
    moments += layer.weights.size();
    move(layer.biases, gradient.layers[l].biases, rate, moments);
    moments += layer.biases.size();
  }
}

void Adam::move(std::vector<float>& values, const std::vector<float>& gradient, double rate,
                Moments* moments) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double slope = gradient[i];
    Moments& moment = moments[i];
    moment.mean = kMeanDecay * moment.mean + (1 - kMeanDecay) * slope;
    moment.square = kSquareDecay * moment.square + (1 - kSquareDecay) * slope * slope;
    const double mean = moment.mean / (1 - mean_left_);
    const double square = moment.square / (1 - square_left_);
    const double moved = values[i] - rate * mean / (std::sqrt(square) + kEpsilon);
    values[i] = std::abs(moved) < kSmallest ? 0.0f : static_cast<float>(moved);
  }
}

}  // namespace capella::method::composite
