#include "capella/compare.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/thread_pool.h"
#include "pipeline/finisher.h"
#include "pipeline/resampled_scores.h"
#include "pipeline/rows.h"
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

// Fills the differences of a comparison, pair by pair.
class Tester {
 public:
  Tester(const aggregate::RowBlock& block, const ScoreOptions& score, const CompareOptions& options,
         std::span<const SystemPair> pairs)
      : pairs_(pairs), swaps_(options.test == kTests[1]) {
    ThreadPool pool(score.threads);
    const pipeline::Finisher finisher(block, score.detail);
    const stats::Resampling resampling{options.resamples, options.seed};
    resampled_ = pipeline::resample_scores(block, finisher, resampling, pool);
    if (swaps_) swapped_ = pipeline::swap_scores(block, finisher, pairs, resampling, pool);
    comparison_.result = pipeline::finish_rows(block, score);
    comparison_.test = options.test;
    comparison_.exact = swapped_.exact;
    pipeline::add_intervals(comparison_.result, block, finisher, resampled_,
                            {options.resamples, options.seed}, pool);
  }

  Comparison run() && {
    const std::vector<ScoreColumn>& columns = comparison_.result.columns;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      for (std::size_t column = 0; column < columns.size(); ++column) {
        if (columns[column].in_tables) comparison_.differences.push_back(difference(pair, column));
      }
    }
    correct_p_values();
    return std::move(comparison_);
  }

 private:
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

  void correct_p_values() {
    std::vector<double> p_values;
    for (const Difference& difference : comparison_.differences) p_values.push_back(difference.p);
    const std::vector<double> corrected = stats::holm(p_values);
    for (std::size_t i = 0; i < corrected.size(); ++i) comparison_.differences[i].p_corrected = corrected[i];
  }

  std::span<const SystemPair> pairs_;
  bool swaps_;
  std::vector<SampledScores> resampled_;
  pipeline::SwappedScores swapped_;
  Comparison comparison_;
};

}  // namespace

void check_options(const CompareOptions& options) {
  if (std::find(std::begin(kTests), std::end(kTests), options.test) == std::end(kTests))
    throw UsageError(unknown_name_message("test", options.test, kTests));
  if (options.resamples == 0) throw UsageError("a test needs at least one resample");
}

Comparison compare(const Dataset& dataset, const ScoreOptions& score, const CompareOptions& options) {
  check_options(options);
  std::vector<std::string> systems;
  for (const Dataset::System& system : dataset.systems()) systems.push_back(system.name);
  const std::vector<SystemPair> pairs = chosen_pairs(systems, options.baseline);
  const aggregate::RowBlock block = pipeline::compute_rows(dataset, score, 0, dataset.size());
  Comparison comparison = Tester(block, score, options, pairs).run();
  pipeline::warn_of_few_items(dataset.size(), comparison.result.warnings);
  if (!comparison.exact) {
    pipeline::warn_of_few_resamples(comparison.differences.size(), options.resamples,
                                    comparison.result.warnings);
  }
  return comparison;
}

}  // namespace capella
