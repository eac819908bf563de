// Every checkpoint is of the best epoch so far: training stops at the first worse one, of which nothing is
// kept. So one set of weights, with the optimiser's numbers, is all a checkpoint needs.
#include "method/pregen/train_generator.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"

#include "method/pregen/caption_data.h"

namespace capella::method::pregen {
namespace {

bool same_recipe(const Recipe& a, const Recipe& b) {
  return a.architecture == b.architecture && a.vocabulary == b.vocabulary && a.image == b.image &&
         a.size == b.size && a.xavier == b.xavier && a.clip == b.clip && a.image_dropout == b.image_dropout &&
         a.embedding_dropout == b.embedding_dropout && a.state_dropout == b.state_dropout && a.l2 == b.l2 &&
         a.rate == b.rate && a.batch == b.batch;
}

// Why training cannot go on from a checkpoint; empty if it can.
std::string difference(const GeneratorModel& checkpoint, const GeneratorModel& start) {
  if (checkpoint.recipe.architecture != start.recipe.architecture) return "another architecture";
  if (!same_recipe(checkpoint.recipe, start.recipe)) return "a network of another size, batch or recipe";
  if (checkpoint.facts.seed != start.facts.seed) return "another seed";
  if (checkpoint.facts.fingerprint != start.facts.fingerprint ||
      checkpoint.vocabulary.words() != start.vocabulary.words())
    return "other captions, features or words";
  return "";
}

// One training: what changes from epoch to epoch.
class Trainer {
 public:
  Trainer(Generator& generator, GeneratorModel start, const CaptionData& training,
          const CaptionData& validation, const TrainingLoop& loop)
      : generator_(generator),
        model_(std::move(start)),
        training_(training),
        validation_(validation),
        loop_(loop),
        longest_(longest_caption(training)) {}

  TrainedGenerator run() {
    const bool resumed = resume();
    bool better = true;
    while (better && model_.facts.epochs.size() <= loop_.most_epochs) better = next_epoch();
    if (!better) generator_.set_arrays(model_.arrays);
    model_.arrays = generator_.arrays(false);
    return {std::move(model_), resumed};
  }

 private:
  bool resume() {
    if (!has_checkpoint(loop_.checkpoint)) return false;
    GeneratorModel found = read_generator(loop_.checkpoint, GeneratorFile::checkpoint);
    expect_fit(loop_.checkpoint,
               {difference(found, model_), found.facts.epochs.size() - 1, loop_.most_epochs});
    restore_arrays(loop_.checkpoint, [&] { generator_.set_arrays(found.arrays); });
    model_.facts.epochs = std::move(found.facts.epochs);
    model_.facts.best_epoch = found.facts.best_epoch;
    model_.arrays = std::move(found.arrays);
    return true;
  }

  // Trains (the epoch 0 does not) and validates; whether the epoch is no worse than the one before.
  bool next_epoch() {
    TrainingFacts& facts = model_.facts;
    const std::size_t epoch = facts.epochs.size();
    TrainingEpoch result{std::numeric_limits<double>::quiet_NaN(), 0};
    if (epoch > 0) result.loss = train(epoch);
    result.log2_perplexity = validate(epoch);
    if (epoch == 0 && std::isnan(result.log2_perplexity))
      throw DataError("the untrained network gives probabilities that are no numbers");
    const bool better = epoch == 0 || result.log2_perplexity <= facts.epochs.back().log2_perplexity;
    facts.epochs.push_back(result);
    if (better) keep(epoch);
    if (loop_.after_epoch) loop_.after_epoch(epoch, result);
    return better;
  }

  void keep(std::size_t epoch) {
    model_.facts.best_epoch = epoch;
    model_.arrays = generator_.arrays(true);
    if (!loop_.checkpoint.empty()) write_generator(loop_.checkpoint, model_, GeneratorFile::checkpoint);
  }

  double train(std::size_t epoch) {
    const std::uint64_t seed = epoch_seed(model_.facts.seed, epoch);
    const std::vector<std::uint32_t> order = epoch_order(training_.caption_count(), seed);
    return generator_.train_epoch(training_, order, longest_, seed,
                                  steps_of(loop_.progress, fmt::format("epoch {}", epoch)));
  }

  double validate(std::size_t epoch) {
    return log2_perplexity(generator_.probabilities(
        validation_, steps_of(loop_.progress, fmt::format("epoch {}, validation", epoch))));
  }

  Generator& generator_;
  GeneratorModel model_;
  const CaptionData& training_;
  const CaptionData& validation_;
  const TrainingLoop& loop_;
  std::size_t longest_;
};

}  // namespace

TrainedGenerator train_generator(Generator& generator, GeneratorModel start, const CaptionData& training,
                                 const CaptionData& validation, const TrainingLoop& loop) {
  return Trainer(generator, std::move(start), training, validation, loop).run();
}

double log2_perplexity(const io::TokenProbabilities& table) {
  double sum = 0;
  for (std::size_t c = 0; c < table.caption_count(); ++c) {
    double logs = 0;
    for (std::size_t k = table.words[c]; k < table.words[c + 1]; ++k)
      logs += std::log2(table.probabilities[k]);
    sum -= logs / static_cast<double>(table.words[c + 1] - table.words[c]);
  }
  return sum / static_cast<double>(table.caption_count());
}

}  // namespace capella::method::pregen
