#include "capella/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/thread_pool.h"
#include "pipeline/finisher.h"
#include "pipeline/resampled_scores.h"
#include "pipeline/rows.h"
#include "pipeline/test_verdicts.h"
#include "stats/paired_tests.h"

namespace capella {
namespace {

using pipeline::SampledScores;
using pipeline::SystemPair;

constexpr std::string_view kTests[] = {"bootstrap", "randomization"};

std::vector<SystemPair> chosen_pairs(const std::vector<std::string>& systems, const std::string& baseline) {
  if (systems.size() < 2) {
    throw UsageError(fmt::format("compare needs at least two systems, found {}", systems.size()));
  }
  std::vector<SystemPair> pairs;
  if (!baseline.empty()) {
    const auto found = std::find(systems.begin(), systems.end(), baseline);
    if (found == systems.end()) {
      const std::vector<std::string_view> names(systems.begin(), systems.end());
      throw UsageError(unknown_name_message("baseline", baseline, names));
    }
    const auto place = static_cast<std::size_t>(found - systems.begin());
    for (std::size_t other = 0; other < systems.size(); ++other) {
      if (other != place) pairs.push_back({other, place});
    }
    return pairs;
  }
  for (std::size_t first = 0; first < systems.size(); ++first) {
    for (std::size_t second = first + 1; second < systems.size(); ++second) pairs.push_back({first, second});
  }
  return pairs;
}

std::vector<double> differences_of(const SampledScores& first, const SampledScores& second,
                                   std::size_t column) {
  std::vector<double> differences(first.samples);
  for (std::size_t sample = 0; sample < first.samples; ++sample) {
    const std::size_t at = sample * first.columns + column;
    differences[sample] = first.values[at] - second.values[at];
  }
  return differences;
}

std::vector<double> item_column(const Result& result, std::size_t system, std::size_t column) {
  std::vector<double> values(result.ids.size());
  for (std::size_t item = 0; item < values.size(); ++item)
    values[item] = result.item_value(system, item, column);
  return values;
}

std::size_t shown_columns(const std::vector<ScoreColumn>& columns) {
  return static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(),
                                                [](const ScoreColumn& column) { return column.in_tables; }));
}

// Ten thousand, or as many as it takes that so many tests can find something, up to a limit.
std::size_t usual_resamples(std::size_t tests) {
  constexpr std::size_t kUsual = 10'000;
  constexpr std::size_t kMost = 100'000;
  return std::clamp(pipeline::enough_resamples(tests), kUsual, kMost);
}

// Fills the differences of a comparison, pair by pair.
class Tester {
 public:
  Tester(const aggregate::RowBlock& block, const ScoreOptions& score, const CompareOptions& options,
         std::span<const SystemPair> pairs)
      : pairs_(pairs), swaps_(options.test == kTests[1]) {
    ThreadPool pool(score.threads);
    const pipeline::Finisher finisher(block, score.detail);
    const std::size_t tests = pairs.size() * shown_columns(finisher.columns());
    const stats::Resampling resampling{options.resamples.value_or(usual_resamples(tests)), options.seed};
    resampled_ = pipeline::resample_scores(block, finisher, resampling, pool);
    if (swaps_) swapped_ = pipeline::swap_scores(block, finisher, pairs, resampling, pool);
    ScoreOptions plain = score;
    plain.intervals.reset();  // they come from the resamples of the test
    comparison_.result = pipeline::finish_rows(block, plain);
    comparison_.test = options.test;
    comparison_.exact = swapped_.exact;
    comparison_.trials = swaps_ ? swapped_.first[0].samples : resampling.resamples;
    comparison_.undecided = undecided(tests, block.ids.size());
    pipeline::add_intervals(comparison_.result, block, finisher, resampled_,
                            {resampling.resamples, resampling.seed}, pool);
  }

  Comparison run() && {
    const std::vector<ScoreColumn>& columns = comparison_.result.columns;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      for (std::size_t column = 0; column < columns.size(); ++column) {
        if (columns[column].in_tables) comparison_.differences.push_back(difference(pair, column));
      }
    }
    pipeline::judge(comparison_.differences, !comparison_.undecided.empty());
    return std::move(comparison_);
  }

 private:
  // The bootstrap finds too much in few items, and few resamples find nothing in many tests.
  std::string undecided(std::size_t tests, std::size_t items) const {
    if (comparison_.exact) {
      // Of two-sided p-values the smallest is 2 / trials: everybody, or nobody, changes sides.
      const bool can_tell =
          kSignificance * static_cast<double>(comparison_.trials) > 2.0 * static_cast<double>(tests);
      return can_tell ? ""
                      : fmt::format("{} item{} too few for {} tests: no difference could be found real",
                                    items, items == 1 ? " is" : "s are", tests);
    }
    if (!swaps_ && items < pipeline::kFewUnits) {
      return fmt::format("the bootstrap cannot be trusted with {} item{}; use --test randomization", items,
                         items == 1 ? "" : "s");
    }
    return pipeline::why_undecided(tests, comparison_.trials);
  }

  Difference difference(std::size_t pair, std::size_t column) const {
    const auto [first, second] = pairs_[pair];
    const Result& result = comparison_.result;
    const double value = result.systems[first].values[column] - result.systems[second].values[column];
    const auto drawn = differences_of(resampled_[first], resampled_[second], column);
    Difference found{};
    found.first = first;
    found.second = second;
    found.column = column;
    found.value = value;
    found.interval = stats::percentile_interval(drawn);
    if (swaps_) {
      const auto by_chance = differences_of(swapped_.first[pair], swapped_.second[pair], column);
      found.p = stats::randomization_p(value, by_chance, swapped_.exact);
      found.p_sacrebleu = std::numeric_limits<double>::quiet_NaN();
    } else {
      found.p = stats::paired_bootstrap_p(value, drawn);
      found.p_sacrebleu = stats::sacrebleu_bootstrap_p(value, drawn);
    }
    found.effect =
        stats::paired_effect_size(item_column(result, first, column), item_column(result, second, column));
    return found;
  }

  std::span<const SystemPair> pairs_;
  bool swaps_;
  std::vector<SampledScores> resampled_;
  pipeline::SwappedScores swapped_;
  Comparison comparison_;
};

// A score that is no number, of a system or of a resample, leaves nothing to test.
void warn_of_undefined(Comparison& comparison) {
  const auto undefined = std::count_if(comparison.differences.begin(), comparison.differences.end(),
                                       [](const Difference& difference) { return std::isnan(difference.p); });
  if (undefined == 0) return;
  comparison.result.warnings.push_back(
      fmt::format("{} of {} differences cannot be tested, since a score is not a finite number", undefined,
                  comparison.differences.size()));
}

}  // namespace

void check_options(const CompareOptions& options) {
  if (std::find(std::begin(kTests), std::end(kTests), options.test) == std::end(kTests))
    throw UsageError(unknown_name_message("test", options.test, kTests));
  if (options.resamples) pipeline::check_resamples(*options.resamples);
}

Comparison compare(const Dataset& dataset, const ScoreOptions& score, const CompareOptions& options) {
  check_options(options);
  std::vector<std::string> systems;
  for (const Dataset::System& system : dataset.systems()) systems.push_back(system.name);
  const std::vector<SystemPair> pairs = chosen_pairs(systems, options.baseline);
  const aggregate::RowBlock block = pipeline::compute_rows(dataset, score, 0, dataset.size());
  Comparison comparison = Tester(block, score, options, pairs).run();
  pipeline::warn_of_few_units(dataset.size(), "item", comparison.result.warnings);
  if (!comparison.undecided.empty()) comparison.result.warnings.push_back(comparison.undecided);
  warn_of_undefined(comparison);
  return comparison;
}

}  // namespace capella
