// Training of the networks of attention.h from what captions tell of images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "capella/progress.h"

#include "io/objects.h"
#include "io/triplets.h"
#include "method/mln/attention/attention.h"
#include "method/mln/attention/bags.h"
#include "method/mln/attention/calibration.h"

namespace capella::method::mln {

struct AttentionTraining {
  bool gated = true;
  std::size_t hidden = 500, attention = 128;
  double rate = 5e-5, decay = 1e-6;
  std::size_t epochs = 10;
  std::size_t batch = 1;  ///< bags per step
  bool shuffle = false;   ///< another order and other negative bags in each epoch
  bool standardise =
      false;  ///< inputs are brought to mean 0 and deviation 1; the network's weights then hold it
  Negatives negatives = Negatives::other_predicates;
  bool pixel_boxes = false;     ///< boxes in pixels instead of shares of the image
  std::size_t least_bags = 10;  ///< predicates with fewer positive ones get no network
  bool calibrate = true;
  /// The wrong cases of calibration and measurement. With `mentioned`, P(p(s, o)) is how probable it is that
  /// captions that say something of the pair say p; with `possible`, that captions of the image say p(s, o),
  /// which is low for whatever people seldom mention, true or not. Predicates with too few mentioned ones are
  /// calibrated on possible ones.
  Negatives calibrated_on = Negatives::possible;
  std::uint64_t seed = 12345;
  std::size_t threads = 1;  ///< 0: one per core
  Progress progress;        ///< steps are epochs of predicates
};

/// As the authors trained.
AttentionTraining paper_attention();
/// For thousands of images, not for a hundred thousand, and features of some dozens of numbers. Negatives are
/// mixed and calibration is on mentioned pairs; no kind of negatives is best by every measure.
AttentionTraining small_attention();

/// How a network does on atoms of held-out images, told ones and others (AttentionTraining::calibrated_on).
/// What is undefined is NaN.
struct AttentionReport {
  std::string predicate;
  std::size_t training_bags = 0;  ///< positive ones
  std::size_t held_out_told = 0, held_out_atoms = 0;
  double auc = 0;
  double log_loss_uncalibrated = 0;
  /// Calibrated on one half of the images, measured on the other, both ways.
  ProbabilityQuality calibrated;
};

struct TrainedAttention {
  AttentionModels models;
  std::vector<AttentionReport> reports;  ///< by predicate
  double mean_auc = 0;                   ///< over predicates that have one
};

/// Trains on images of split `train` and `restval`, calibrates and measures on `val`. The same for any number
/// of threads. Throws DataError if there is nothing to learn from.
TrainedAttention train_attention(std::span<const io::ImageObjects> images,
                                 std::span<const io::TripletRow> triplets, const AttentionTraining& options);

/// A bag with its truth, for training outside of images.
struct LabelledBag {
  const Bag* bag;
  bool positive;
};

/// A network with PyTorch's start for linear layers: all numbers uniform in +-1 / sqrt(inputs of the layer).
AttentionNetwork start_network(std::size_t inputs, const AttentionTraining& options, std::uint64_t seed);

/// Adam's steps (0.9, 0.999, 1e-8; `decay` times the weights is added to the gradient).
class AttentionTrainer {
 public:
  AttentionTrainer(AttentionNetwork start, double rate, double decay);
  /// One step on the mean of the bags' gradients; returns their mean loss. No bag is empty.
  double step(std::span<const LabelledBag> bags);
  const AttentionNetwork& network() const { return network_; }

 private:
  void move();

  AttentionNetwork network_, gradient_, mean_, square_;
  double rate_, decay_;
  double mean_left_ = 1, square_left_ = 1;  // the decays to the number of steps
};

}  // namespace capella::method::mln
