// Adam as PyTorch has it (both means are corrected, epsilon is added to the corrected root), with weight
// decay apart from the gradients (AdamW) and with clipping, on the whole block of a network's weights at
// once.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tensor/network_array.h"
#include "torch/weights.h"

namespace capella::plugin {

struct AdamSettings {
  double mean_decay = .9;
  double square_decay = .999;
  double epsilon = 1e-8;
  double weight_decay = 0;   ///< of arrays with two and more dimensions; times the rate of the step
  double most_gradient = 0;  ///< a longer gradient is scaled to this length; 0: none is
};

class FlatAdam {
 public:
  /// Shares the numbers of `weights`.
  FlatAdam(const Weights& weights, const AdamSettings& settings);

  /// Moves all weights along their gradients, and sets these to 0.
  void step(double rate);

  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }
  /// As at the beginning.
  void reset();

  /// "adam/m/NAME", "adam/v/NAME" of each array, and "adam/steps" at the end.
  std::vector<NamedWeight> arrays() const;

 private:
  Weights weights_;
  AdamSettings settings_;
  torch::Tensor means_;
  torch::Tensor squares_;
  std::int64_t steps_ = 0;
};

/// How the names of the optimiser's arrays begin.
inline constexpr std::string_view kAdamPrefix = "adam/";

/// A network's own arrays and the optimiser's, if there is one, to be kept in a file.
std::vector<tensor::NetworkArray> kept_arrays(const std::vector<NamedWeight>& own, const FlatAdam* adam);

/// Copies given arrays into a network's own and into the optimiser's; the optimiser starts anew if it has
/// none among them. Everything is looked at before anything is changed: throws DataError that names an array
/// which is missing, has another shape or does not belong to a network of this kind.
void take_arrays(std::span<const tensor::NetworkArray> given, const std::vector<NamedWeight>& own,
                 FlatAdam& adam, std::string_view kind);

}  // namespace capella::plugin
