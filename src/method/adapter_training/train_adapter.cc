#include "method/adapter_training/train_adapter.h"

#include <limits>
#include <utility>

#include "base/hash_values.h"
#include "base/stopwatch.h"
#include "method/training_loop.h"
#include "method/training_state.h"
#include "metric/reference_cosines.h"
#include "stats/correlation.h"

namespace capella::method::adapter_training {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr NetworkFormat kFormat = {"capella.adapter", "capella.adapter.checkpoint",
                                   "capella nn train-adapter"};

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
    StepWork work;
    if (step > 0) {
      const Stopwatch clock;
      const Drawn drawn = draw_step(groups_, network_.recipe(), loop_.seed, step);
      result.loss = network_.step(groups_.captions(), drawn);
      work = {drawn.texts(), clock.seconds()};
    }
    if (step == total())
      network_.set_arrays(rounded(strengthened(network_.arrays(false), loop_.strength), loop_.precision));
    if (rated_.size() > 0 && is_time(step, loop_.valid_every)) result.agreement = agreement(network_, rated_);
    rows_.push_back({result.loss, result.agreement});
    if (!loop_.checkpoint.empty() && loop_.checkpoint_every > 0 && step > 0 &&
        is_time(step, loop_.checkpoint_every))
      write_training_state(loop_.checkpoint, kFormat, loop_.fingerprint, rows_, network_.arrays(true));
    if (loop_.after_step) loop_.after_step(step, result, work);
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
  return hash_combine(hash_combine(hash_values(texts.ids), hash_values(texts.ends)), hash_of(rows));
}

double agreement(const Network& network, const RatedCaptions& rated) {
  encoder::Features texts{network.width(), std::vector<float>(rated.texts.size() * network.width()), {}};
  network.texts(rated.texts, texts.values.data());
  std::vector<double> scores;
  for (std::size_t row = 0; row < rated.size(); ++row) {
    encoder::Features references{texts.width, {}, {}};
    for (const std::uint32_t place : rated.rows.references_of(row)) {
      const auto vector = texts.row(place);
      references.values.insert(references.values.end(), vector.begin(), vector.end());
    }
    const auto candidate = texts.row(rated.rows.candidates[row]);
    scores.push_back(metric::compare(candidate, references, 0, references.size()).max_and_centroid());
  }
  return stats::kendall(scores, rated.rows.ratings).tau_c;
}

TrainedAdapter train_adapter(Network& network, const CaptionGroups& groups, const RatedCaptions& rated,
                             const TrainingLoop& loop) {
  return Trainer(network, groups, rated, loop).run();
}

}  // namespace capella::method::adapter_training
