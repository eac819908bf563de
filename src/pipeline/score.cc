// Scores from rows, and the jobs built on that.
#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "pipeline/prepared_run.h"
#include "pipeline/registry.h"
#include "pipeline/rows.h"

namespace capella {
namespace pipeline {
namespace {

using Metrics = std::vector<std::unique_ptr<metric::Metric>>;

// Makes the metrics of a stored run again; they must be those that filled its rows.
Metrics remake_metrics(const aggregate::RowBlock& block) {
  Metrics metrics;
  for (const aggregate::MetricRun& run : block.metrics) {
    try {
      metrics.push_back(make_metric(run.name, run.settings));
    } catch (const UsageError& problem) {  // stored by another version, or damaged: not the caller's slip
      throw DataError(fmt::format("these statistics cannot be scored here: {}", problem.what()));
    }
    if (metrics.back()->info().row_width != run.row_width) {
      throw DataError(
          fmt::format("rows of {} have {} numbers, expected {}: they were written by another version",
                      run.name, run.row_width, metrics.back()->info().row_width));
    }
  }
  return metrics;
}

// The places of the scores that are shown.
std::vector<std::size_t> shown_scores(const metric::Info& info, bool detail) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < info.scores.size(); ++i) {
    if (detail || info.scores[i].shown == metric::Shown::always) places.push_back(i);
  }
  return places;
}

SystemResult finish_system(const aggregate::RowBlock& block, const Metrics& metrics, std::size_t system,
                           std::size_t columns, bool detail) {
  SystemResult result{block.systems[system], {}, std::vector<double>(block.ids.size() * columns)};
  std::size_t column = 0;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const metric::Info& info = metrics[m]->info();
    const auto rows = block.rows_of(system, m);
    const std::vector<std::size_t> shown = shown_scores(info, detail);
    std::vector<double> scores(info.scores.size());
    metrics[m]->finish(aggregate::sum_rows(rows, info.row_width), scores);
    for (const std::size_t place : shown) result.values.push_back(scores[place]);
    for (std::size_t item = 0; item < block.ids.size(); ++item) {
      metrics[m]->finish(rows.subspan(item * info.row_width, info.row_width), scores);
      for (std::size_t i = 0; i < shown.size(); ++i)
        result.item_values[item * columns + column + i] = scores[shown[i]];
    }
    column += shown.size();
  }
  return result;
}

bool uses_document_frequencies(const ScoreOptions& options) {
  const auto metrics = make_metrics(options);
  return std::any_of(metrics.begin(), metrics.end(), [](const PreparedMetric& metric) {
    return metric.metric->info().uses_document_frequencies;
  });
}

}  // namespace

Result finish_rows(aggregate::RowBlock block, bool detail) {
  const Metrics metrics = remake_metrics(block);
  Result result;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    for (const std::size_t place : shown_scores(metrics[m]->info(), detail)) {
      const metric::ScoreInfo& score = metrics[m]->info().scores[place];
      result.columns.push_back({score.name, score.high, score.display_scale,
                                score.name + "|" + block.metrics[m].signature_rest,
                                score.shown != metric::Shown::numbers});
    }
  }
  for (std::size_t system = 0; system < block.systems.size(); ++system) {
    result.systems.push_back(finish_system(block, metrics, system, result.columns.size(), detail));
  }
  result.ids = std::move(block.ids);
  result.skipped = std::move(block.skipped);
  result.warnings = std::move(block.warnings);
  return result;
}

}  // namespace pipeline

Result score(const Dataset& dataset, const ScoreOptions& options) {
  return pipeline::finish_rows(pipeline::compute_rows(dataset, options, 0, dataset.size()), options.detail);
}

std::string shard_statistics(const Dataset& dataset, const ScoreOptions& options, Shard shard) {
  constexpr std::size_t kMost = 1'000'000'000;
  if (shard.count == 0 || shard.index >= shard.count || shard.count > kMost) {
    throw UsageError(fmt::format("shard {}/{}: expected i/n with 1 <= i <= n <= 1000000000", shard.index + 1,
                                 shard.count));
  }
  if (options.tokenizer == "ptb") {
    throw UsageError("shards need a tokenizer that looks at each caption alone: use ptb-iso, 13a or none");
  }
  const std::size_t first = dataset.size() * shard.index / shard.count;
  const std::size_t end = dataset.size() * (shard.index + 1) / shard.count;
  return aggregate::to_bytes(pipeline::compute_rows(dataset, options, first, end - first));
}

std::string part_statistics(const Dataset& part, const ScoreOptions& options) {
  if (options.tokenizer == "ptb") {
    throw UsageError("parts need a tokenizer that looks at each caption alone: use ptb-iso, 13a or none");
  }
  if (options.df == "refs" && pipeline::uses_document_frequencies(options)) {
    throw UsageError(
        "parts need document frequencies that are the same for all: use coco-val or a file made by `capella "
        "df`");
  }
  aggregate::RowBlock block = pipeline::compute_rows(part, options, 0, part.size());
  block.total_items = aggregate::kOpenEnd;
  block.fingerprint = 0;
  return aggregate::to_bytes(block);
}

Result merge_statistics(std::span<const std::string> statistics, std::span<const std::string> names,
                        bool detail) {
  if (statistics.size() != names.size())
    throw UsageError("merge: one name per block of statistics is needed");
  std::vector<aggregate::RowBlock> blocks;
  for (std::size_t i = 0; i < statistics.size(); ++i)
    blocks.push_back(aggregate::from_bytes(statistics[i], names[i]));
  return pipeline::finish_rows(aggregate::join_blocks(std::move(blocks), names), detail);
}

}  // namespace capella
