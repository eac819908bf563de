// With a patience of 1 every checkpoint is of the best epoch so far, and one set of weights is all it needs.
// With more it has the last epoch's, to go on, and the best one's, to be kept.
#include "method/deneb/train_network.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/hash_values.h"
#include "method/deneb/model_header.h"
#include "stats/correlation.h"

namespace capella::method::deneb {
namespace {

// Why training cannot go on from a checkpoint; empty if it can.
std::string difference(const Model& checkpoint, const Model& start) {
  if (checkpoint.recipe.architecture != start.recipe.architecture) return "another architecture";
  if (const std::string other = recipe_difference(checkpoint.recipe, start.recipe); !other.empty())
    return "other options: " + other;
  if (checkpoint.recipe.total_steps != start.recipe.total_steps)
    return fmt::format("a rate that ends after {} steps instead of {}, as for another number of epochs",
                       checkpoint.recipe.total_steps, start.recipe.total_steps);
  if (checkpoint.encoders != start.encoders) return "other encoders";
  if (checkpoint.facts.seed != start.facts.seed) return "another seed";
  if (checkpoint.facts.rows_per_epoch != start.facts.rows_per_epoch)
    return "epochs of another number of rows";
  if (checkpoint.facts.fingerprint != start.facts.fingerprint) return "other captions, images or scores";
  return "";
}

bool is_better(double agreement, double best) {
  return agreement > best || (std::isnan(best) && !std::isnan(agreement));
}

// One training: what changes from epoch to epoch.
class Trainer {
 public:
  Trainer(Network& network, Model start, const TrainingData& data, const TrainingLoop& loop)
      : network_(network),
        model_(std::move(start)),
        data_(data),
        loop_(loop),
        features_(network.load(data.features)) {}

  TrainedNetwork run() {
    const bool resumed = resume();
    if (!resumed) network_.freeze_statistics(data_.features, data_.training);
    while (model_.facts.epochs.size() <= loop_.most_epochs && !is_over()) next_epoch();
    if (!best_.empty()) network_.set_arrays(best_);
    model_.arrays = network_.arrays(false);
    return {std::move(model_), resumed};
  }

 private:
  bool resume() {
    if (!has_checkpoint(loop_.checkpoint)) return false;
    Model found = read_checkpoint(loop_.checkpoint);
    expect_fit(loop_.checkpoint,
               {difference(found, model_), found.facts.epochs.size() - 1, loop_.most_epochs});
    restore_arrays(loop_.checkpoint, [&] { network_.set_arrays(found.arrays); });
    model_.facts.epochs = std::move(found.facts.epochs);
    model_.facts.best_epoch = found.facts.best_epoch;
    best_ = std::move(found.best);
    return true;
  }

  // Whether as many epochs as patience allows have passed since the best one.
  bool is_over() const {
    const TrainingFacts& facts = model_.facts;
    return facts.best_epoch > 0 && facts.epochs.size() - 1 - facts.best_epoch >= facts.patience;
  }

  // Trains (the epoch 0 does not) and validates.
  void next_epoch() {
    TrainingFacts& facts = model_.facts;
    const std::size_t epoch = facts.epochs.size();
    TrainingEpoch result{std::numeric_limits<double>::quiet_NaN(), 0};
    std::vector<NetworkArray> before;
    if (best_.empty() && epoch > 1) before = network_.arrays(false);
    if (epoch > 0) result.loss = train(epoch);
    result.agreement = validate(epoch);
    const bool better = epoch <= 1 || is_better(result.agreement, facts.epochs[facts.best_epoch].agreement);
    facts.epochs.push_back(result);
    if (better) {
      facts.best_epoch = epoch;
      best_.clear();
    } else if (best_.empty()) {
      best_ = std::move(before);
    }
    write_checkpoint();
    if (loop_.after_epoch) loop_.after_epoch(epoch, result);
  }

  void write_checkpoint() {
    if (loop_.checkpoint.empty()) return;
    model_.arrays = network_.arrays(true);
    model_.best = best_;
    write_model(loop_.checkpoint, model_, NetworkFile::checkpoint);
    model_.arrays.clear();
    model_.best.clear();
  }

  double train(std::size_t epoch) {
    const TrainingFacts& facts = model_.facts;
    const std::size_t count = data_.training.size();
    const std::size_t rows = facts.rows_per_epoch > 0 ? facts.rows_per_epoch : count;
    const std::vector<std::uint32_t> order = epoch_rows(count, rows, facts.seed, epoch);
    const double sum = network_.train(*features_, data_.training, order, epoch_seed(facts.seed, epoch),
                                      steps_of(loop_.progress, fmt::format("epoch {}", epoch)));
    return sum / static_cast<double>(order.size());
  }

  double validate(std::size_t epoch) const {
    const auto steps = steps_of(loop_.progress, fmt::format("epoch {}, validation", epoch));
    const std::vector<double> scores = network_.predict(*features_, data_.validation, {}, steps);
    if (model_.facts.measure == Measure::accuracy) return agreement(scores, data_.preferences);
    return agreement(scores, data_.validation.scores);
  }

  Network& network_;
  Model model_;
  const TrainingData& data_;
  const TrainingLoop& loop_;
  std::unique_ptr<const LoadedFeatures> features_;
  std::vector<NetworkArray> best_;  // empty while the network has the best epoch's weights
};

}  // namespace

TrainedNetwork train_network(Network& network, Model start, const TrainingData& data,
                             const TrainingLoop& loop) {
  return Trainer(network, std::move(start), data, loop).run();
}

double agreement(std::span<const double> scores, std::span<const float> ratings) {
  const std::vector<double> exact(ratings.begin(), ratings.end());
  return stats::kendall(scores, exact).tau_c;
}

double agreement(std::span<const double> scores, const Preferences& preferences) {
  std::vector<double> pairs(preferences.categories), right(preferences.categories);
  for (std::size_t k = 0; k < preferences.pairs.size(); ++k) {
    const auto [category, preferred] = preferences.pairs[k];
    pairs[category] += 1;
    if (scores[2 * k + preferred] > scores[2 * k + 1 - preferred]) right[category] += 1;
  }
  double sum = 0;
  for (std::size_t category = 0; category < pairs.size(); ++category)
    sum += right[category] / pairs[category];
  return sum / static_cast<double>(pairs.size());
}

std::uint64_t fingerprint(const Samples& samples, std::uint64_t before) {
  std::uint64_t hash = before;
  for (const std::uint64_t next :
       {hash_values(samples.images), hash_values(samples.candidates), hash_values(samples.ends),
        hash_values(samples.references), hash_values(samples.scores)})
    hash = hash_combine(hash, next);
  return hash;
}

std::uint64_t fingerprint(const Preferences& preferences, std::uint64_t before) {
  std::uint64_t hash = before;
  for (const auto [category, preferred] : preferences.pairs)
    hash = hash_combine(hash, hash_combine(category, preferred));
  return hash;
}

}  // namespace capella::method::deneb
