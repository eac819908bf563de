// Adam in the form TensorFlow 1 has it: the rate of step t is rate * sqrt(1 - b2^t) / (1 - b1^t), and epsilon
// is added to the root of the uncorrected mean of squares.
#pragma once

#include <cstdint>
#include <vector>

#include "torch/network.h"

namespace capella::plugin {

class Adam {
 public:
  explicit Adam(const Network& network);

  /// Moves all arrays of the network along their gradients, and forgets these.
  void step(double rate);

  /// "adam/m/NAME", "adam/v/NAME" of each array, and "adam/steps".
  std::vector<NamedTensor> arrays() const;
  void set_steps(std::int64_t steps) { steps_ = steps; }
  /// As at the beginning.
  void reset();

 private:
  std::vector<NamedTensor> weights_;
  std::vector<Tensor> means_;
  std::vector<Tensor> squares_;
  std::int64_t steps_ = 0;
};

}  // namespace capella::plugin
