#include "pipeline/meta_scores.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/system_name.h"
#include "pipeline/prepared_run.h"
#include "pipeline/registry.h"

namespace capella::pipeline {
namespace {

// Those of the settings that are about the metric or one it builds on as the run has it.
std::vector<std::string> settings_for(const std::string& metric, const ScoreOptions& options) {
  const auto alone = make_metrics_for(metric, options.tokenizer);
  std::set<std::string> counting = {metric};
  for (const metric::Foundation& foundation : alone[0].metric->info().builds_on) {
    if (!foundation.settings) counting.insert(foundation.metric);
  }
  std::vector<std::string> own;
  for (const std::string& setting : options.settings) {
    if (counting.contains(canonical_name(setting.substr(0, setting.find('.'))))) own.push_back(setting);
  }
  return own;
}

// FOIL is scored twice, and what is told twice is told once.
void add_once(const std::string& warning, std::vector<std::string>& warnings) {
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
}

// All scores of one metric, timed from text to score.
void add_metric(const std::string& metric, const io::Benchmark& benchmark, const ScoreOptions& options,
                std::vector<ScoreSeries>& series, std::vector<std::string>& warnings) {
  ScoreOptions alone = options;
  alone.metrics = {metric};
  alone.settings = settings_for(metric, options);
  const auto begin = std::chrono::steady_clock::now();
  const Result result = score(benchmark.dataset, alone);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  for (std::size_t column = 0; column < result.columns.size(); ++column) {
    ScoreSeries& one = series.emplace_back();
    one.name = result.columns[column].name;
    one.signature = result.columns[column].signature;
    one.milliseconds = taken.count() / static_cast<double>(benchmark.rows());
    for (std::size_t row = 0; row < benchmark.rows(); ++row)
      one.values.push_back(result.item_value(0, row, column));
  }
  for (const std::string& warning : result.warnings) add_once(warning, warnings);
}

void check_length(const GivenSeries& given, const io::Benchmark& benchmark) {
  const std::size_t expected = benchmark.rows_of_file();
  if (given.values.size() == expected) return;
  throw UsageError(
      fmt::format("{}: {} values, expected {}, {}", given.name, given.values.size(), expected,
                  benchmark.pairwise() ? "two for each pair, one after the other" : "one for each row"));
}

std::vector<ScoreSeries> series_from_elsewhere(const io::Benchmark& benchmark, const MetaOptions& options) {
  std::vector<ScoreSeries> series;
  for (const GivenSeries& given : options.given) {
    check_length(given, benchmark);
    series.push_back({given.name, {}, io::kept_values(benchmark, given.values), std::nullopt});
  }
  for (const io::SystemFile& file : io::name_systems(options.scores))
    series.push_back({file.name, {}, io::read_scores(file.path, benchmark), std::nullopt});
  return series;
}

// Results go by name.
void check_names(std::span<const ScoreSeries> series) {
  std::set<std::string_view> seen;
  for (const ScoreSeries& one : series) {
    if (!seen.insert(one.name).second)
      throw UsageError(fmt::format("two scores are named '{}'; name one of them otherwise", one.name));
  }
}

// A score that is no number must not pass for a bad one.
void warn_of_missing_numbers(const ScoreSeries& series, bool pairwise, std::vector<std::string>& warnings) {
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < series.values.size(); ++row) {
    if (std::isnan(series.values[row])) rows.push_back(std::to_string(row));
  }
  if (rows.empty()) return;
  const std::vector<std::string_view> names(rows.begin(), rows.end());
  add_once(
      fmt::format("{}: {} of {} rows have no number, so {}: rows {}", series.name, rows.size(),
                  series.values.size(),
                  pairwise ? "their pairs count as wrong" : "its agreement is undefined", list_names(names)),
      warnings);
}

}  // namespace

std::vector<ScoreSeries> score_benchmark(const io::Benchmark& benchmark, const MetaOptions& options,
                                         std::vector<std::string>& warnings) {
  // What is wrong with these is told before the long work.
  std::vector<ScoreSeries> others = series_from_elsewhere(benchmark, options);
  std::vector<ScoreSeries> series;
  if (!options.score.metrics.empty()) {
    for (const PreparedMetric& metric : make_metrics(options.score)) {
      if (metric.asked) add_metric(metric.name, benchmark, options.score, series, warnings);
    }
    for (const io::CarriedScores& carried : benchmark.carried)
      series.push_back({carried.name, {}, carried.values, std::nullopt});
  }
  std::ranges::move(others, std::back_inserter(series));
  check_names(series);
  for (const ScoreSeries& one : series) warn_of_missing_numbers(one, benchmark.pairwise(), warnings);
  return series;
}

}  // namespace capella::pipeline
