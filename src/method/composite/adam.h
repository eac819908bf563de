// Adam: gradient descent whose step in each weight is the running mean of its gradients divided by the root
// of the running mean of their squares, both corrected for having begun at 0 (Kingma and Ba 2015, algorithm
// 1).
#pragma once

#include <vector>

#include "method/composite/network.h"

namespace capella::method::composite {

class Adam {
 public:
  static constexpr double kMeanDecay = 0.9;
  static constexpr double kSquareDecay = 0.999;
  static constexpr double kEpsilon = 1e-8;  ///< added to the root

  /// Moves every weight and bias one step of size `rate`. `gradient` has the shape of the network, and all
  /// calls the same shape.
  void step(Network& network, const Network& gradient, double rate);

 private:
  struct Moments {
    double mean = 0;
    double square = 0;
  };
  void move(std::vector<float>& values, const std::vector<float>& gradient, double rate,
            Moments* moments) const;

  std::vector<Moments> moments_;  // of each layer its weights, then its biases
  double mean_left_ = 1;          // kMeanDecay to the number of steps: what the start at 0 still weighs
  double square_left_ = 1;
};

}  // namespace capella::method::composite
