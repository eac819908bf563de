#include "method/adapter_training/train_adapter.h"

#include <limits>
#include <utility>

#include "base/hash_values.h"
#include "base/stopwatch.h"
#include "encoder/head_samples.h"
#include "method/training_loop.h"
#include "method/training_state.h"
#include "stats/correlation.h"

namespace capella::method::adapter_training {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr NetworkFormat kFormat = {"capella.adapter", "capella.adapter.checkpoint",
                                   "capella nn train-adapter"};

std::vector<float> rows_at(const std::vector<float>& table, std::size_t width,
                           const std::vector<std::uint32_t>& places) {
  std::vector<float> rows;
  rows.reserve(places.size() * width);
  for (const std::uint32_t place : places) {
    const auto row = table.begin() + static_cast<std::ptrdiff_t>(place * width);
    rows.insert(rows.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
  return rows;
}

// One training: what changes from step to step.
class Trainer {
 public:
  Trainer(Network& network, const CaptionGroups& groups, const RatedCaptions& rated, const TrainingLoop& loop)
      : network_(network),
        groups_(groups),
        rated_(rated),
        loop_(loop),
        told_(steps_of(loop.progress, "training")) {}

  TrainedAdapter run() {
    resume();
    while (rows_.size() <= total()) next_step();
    TrainedAdapter trained;
    trained.steps = steps();
    trained.arrays = rounded(network_.arrays(false), loop_.precision);
    trained.resumed = resumed_;
    return trained;
  }

 private:
  std::size_t total() const { return network_.recipe().total_steps; }

  std::vector<StepResult> steps() const {
    std::vector<StepResult> steps;
    for (const std::vector<double>& row : rows_) steps.push_back({row[0], row[1]});
    return steps;
  }

  void resume() {
    if (loop_.restart || !has_checkpoint(loop_.checkpoint)) return;
    TrainingState state = read_training_state(loop_.checkpoint, kFormat, 2);
    const bool same = state.fingerprint == loop_.fingerprint && state.rows.size() - 1 <= total();
    expect_fit(loop_.checkpoint, {same ? "" : "another model, other captions or other options", 0, 0});
    restore_arrays(loop_.checkpoint, [&] { network_.set_arrays(state.arrays); });
    rows_ = std::move(state.rows);
    resumed_ = true;
    if (loop_.after_resume) loop_.after_resume(steps());
  }

  void next_step() {
    const std::size_t step = rows_.size();
    StepResult result{kNone, kNone};
    const Stopwatch clock;
    if (step > 0)
      result.loss =
          network_.step(groups_.captions(), draw_step(groups_, network_.recipe(), loop_.seed, step));
    const double seconds = clock.seconds();
    if (step == total()) network_.set_arrays(rounded(network_.arrays(false), loop_.precision));
    if (rated_.size() > 0 && is_time(step, loop_.valid_every)) result.agreement = agreement(network_, rated_);
    rows_.push_back({result.loss, result.agreement});
    if (!loop_.checkpoint.empty() && loop_.checkpoint_every > 0 && step > 0 &&
        is_time(step, loop_.checkpoint_every))
      write_training_state(loop_.checkpoint, kFormat, loop_.fingerprint, rows_, network_.arrays(true));
    if (loop_.after_step) loop_.after_step(step, result, seconds);
    told_(step, total());
  }

  bool is_time(std::size_t step, std::size_t every) const {
    return step == total() || (every > 0 && step % every == 0);
  }

  Network& network_;
  const CaptionGroups& groups_;
  const RatedCaptions& rated_;
  const TrainingLoop& loop_;
  std::function<void(std::size_t, std::size_t)> told_;
  ResultRows rows_;  // of each step: loss and agreement
  bool resumed_ = false;
};

}  // namespace

std::uint64_t RatedCaptions::fingerprint() const {
  std::uint64_t hash = hash_values(texts.ids);
  for (const std::uint64_t next : {hash_values(texts.ends), hash_values(candidates), hash_values(references),
                                   hash_values(ends), hash_values(ratings)})
    hash = hash_combine(hash, next);
  return hash;
}

double agreement(const Network& network, const RatedCaptions& rated) {
  const std::size_t width = network.width();
  std::vector<float> vectors(rated.texts.size() * width);
  network.texts(rated.texts, vectors.data());
  const std::vector<float> candidates = rows_at(vectors, width, rated.candidates);
  const std::vector<float> references = rows_at(vectors, width, rated.references);
  const std::vector<float> scores =
      encoder::reference_cosines({candidates.data(), references.data(), nullptr}, rated.ends, width);
  const std::vector<double> exact(scores.begin(), scores.end());
  return stats::kendall(exact, rated.ratings).tau_c;
}

TrainedAdapter train_adapter(Network& network, const CaptionGroups& groups, const RatedCaptions& rated,
                             const TrainingLoop& loop) {
  return Trainer(network, groups, rated, loop).run();
}

}  // namespace capella::method::adapter_training
