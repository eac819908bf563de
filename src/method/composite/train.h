// Training a network to tell human captions from machine ones, and choosing when to stop by how its answers
// agree with people's ratings of other captions.
//
// Softmax cross-entropy, mean over the batch; L2 on the weights; Adam; the rate is halved when the agreement
// has not grown for some epochs; training stops when it has not grown for more, and the best network is kept.
// The same seed gives the same network, whatever the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "method/composite/network.h"

namespace capella::method::composite {

/// Rows of inputs, one after the other, and a number for each row.
struct Examples {
  std::size_t inputs = 0;
  std::vector<double> values;   ///< rows x inputs
  std::vector<double> targets;  ///< 1 human, 0 machine; of validation examples the ratings

  std::size_t rows() const { return targets.size(); }
  std::span<const double> row(std::size_t k) const { return std::span(values).subspan(k * inputs, inputs); }
};

struct TrainOptions {
  std::vector<std::size_t> hidden = {72, 72};  ///< empty: a linear classifier
  std::uint64_t seed = 12345;
  double rate = 1e-3;
  double l2 = 1e-4;  ///< l2 / 2 times the sum of squared weights is added to the loss
  std::size_t batch = 6650;
  std::size_t most_epochs = 700;
  std::size_t halve_after = 3;  ///< epochs without gain, and again after as many more; 0: never
  std::size_t stop_after = 20;  ///< epochs without gain; 0: never
};

struct Epoch {
  double loss;      ///< mean cross-entropy of the training examples, without L2
  double accuracy;  ///< share of training examples on the right side of one half
  double tau_b;     ///< agreement with the ratings of the validation examples
  double tau_c;
  double rate;  ///< that it was trained with
};

struct Trained {
  Network network;            ///< of the best epoch
  std::size_t best = 0;       ///< the first epoch with the highest tau-b; from 1 on
  std::vector<Epoch> epochs;  ///< epochs[0] is before training and never the best
};

/// Throws DataError if there are no rows, a class is empty, a number is not finite, all ratings are equal,
/// training and validation do not have the same inputs, or no epoch tells the validation examples apart;
/// UsageError if an option makes no sense. `after_epoch` may be empty; it is called from this thread, first
/// for the network before training.
Trained train(const Examples& training, const Examples& validation, const TrainOptions& options,
              ThreadPool& pool, const std::function<void(const Epoch&)>& after_epoch = {});

/// The share of examples on the right side of one half.
double accuracy(const Network& network, const Examples& examples);

/// Whether all examples, one or more, are on the same side of one half.
bool sees_one_class(const Network& network, const Examples& examples);

}  // namespace capella::method::composite
