// Training a network of DENEB's kind until its scores of the validation samples agree with people no better.
// After every epoch a checkpoint is written; a run that was killed goes on from it and ends with the same
// bytes as one that was not.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "method/deneb/model_file.h"
#include "method/deneb/trainer.h"
#include "method/training_loop.h"

namespace capella::method::deneb {

/// Which of two captions people preferred.
struct Preference {
  std::uint32_t category;   ///< a place below Preferences::categories
  std::uint32_t preferred;  ///< 0 or 1
};

/// Of samples that come in pairs: preference k is about samples 2k and 2k + 1.
struct Preferences {
  std::size_t categories = 0;
  std::vector<Preference> pairs;
};

/// Samples to learn from and to validate on, both rows of the same tables.
struct TrainingData {
  Features features;
  Samples training;
  Samples validation;
  Preferences preferences =
      {};  ///< where the measure is accuracy; the validation samples have no scores then
};

struct TrainingLoop {
  std::size_t most_epochs = 100;
  std::string checkpoint;  ///< the file; training goes on from it if it is there; empty: none
  Progress progress;
  /// Called after each epoch, 0 first, with its number; not for those of an earlier run.
  std::function<void(std::size_t epoch, const TrainingEpoch& result)> after_epoch = {};
};

struct TrainedNetwork {
  Model model;  ///< of the best epoch, without the optimiser
  bool resumed = false;
};

/// `start` has recipe, encoders and facts, no epochs and no arrays. Epoch 0 is the untrained network, which
/// is measured but kept only if there are no others. The order of the samples and the dropout of an epoch
/// depend on facts.seed and the epoch's number alone.
///
/// An epoch is better if its agreement with people is above that of the best one before; the first counts as
/// better. Training ends after facts.patience epochs in a row that are not, and the best one's weights are
/// kept. Afterwards the network has them, and the checkpoint still lies there. Throws FileError if the
/// checkpoint is damaged, of another training or of more epochs than are asked for; what Network::train()
/// throws.
TrainedNetwork train_network(Network& network, Model start, const TrainingData& data,
                             const TrainingLoop& loop);

/// Kendall's tau-c of scores and ratings.
double agreement(std::span<const double> scores, std::span<const float> ratings);
/// In what share of a category's pairs the preferred caption has the higher score (not an equal one), the
/// mean over categories; NaN if one has no pairs.
double agreement(std::span<const double> scores, const Preferences& preferences);

/// A number that changes with everything that is learnt from and validated on but the vectors, which follow
/// from the texts, the images and the encoders; `before` goes into it, too.
std::uint64_t fingerprint(const Samples& samples, std::uint64_t before);
std::uint64_t fingerprint(const Preferences& preferences, std::uint64_t before);

}  // namespace capella::method::deneb
