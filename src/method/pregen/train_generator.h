// Training a caption generator until its perplexity on the validation images rises, as the pre-gen study
// does. After every epoch that is no worse than the one before, a checkpoint is written; a run that was
// killed goes on from it and ends with the same bytes as one that was not.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "method/pregen/generator.h"
#include "method/pregen/generator_file.h"
#include "method/training_loop.h"

namespace capella::method::pregen {

struct TrainingLoop {
  std::size_t most_epochs = 100;
  std::string checkpoint;  ///< the file; training goes on from it if it is there; empty: none
  Progress progress;
  /// Called after each epoch, 0 first, with its number; not for those of an earlier run.
  std::function<void(std::size_t epoch, const TrainingEpoch& result)> after_epoch = {};
};

struct TrainedGenerator {
  GeneratorModel model;  ///< of the best epoch, without the optimiser
  bool resumed = false;
};

/// `start` has recipe, vocabulary and facts, no epochs and no arrays. The order of the captions and the
/// dropout of an epoch depend on facts.seed and the epoch's number alone. Training stops at the first epoch
/// whose perplexity is higher than that of the epoch before (or no number), and the weights before it are
/// kept; equal counts as better. Afterwards the generator has the weights that were kept, and the checkpoint
/// still lies there. Throws DataError if the untrained network's perplexity is no number; FileError if the
/// checkpoint is damaged, of another training or of more epochs than are asked for.
TrainedGenerator train_generator(Generator& generator, GeneratorModel start, const CaptionData& training,
                                 const CaptionData& validation, const TrainingLoop& loop);

/// The mean over all captions of the log2 of their perplexity, which is -1/n sum log2 p over the n words of a
/// caption, its end included. Infinite if a word has the probability 0.
double log2_perplexity(const io::TokenProbabilities& table);

}  // namespace capella::method::pregen
