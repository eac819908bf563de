// Scores from rows, and the jobs built on that.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/thread_pool.h"
#include "pipeline/finisher.h"
#include "pipeline/prepared_run.h"
#include "pipeline/resampled_scores.h"
#include "pipeline/rows.h"
#include "pipeline/test_verdicts.h"

namespace capella {
namespace pipeline {
namespace {

SystemResult finish_system(const aggregate::RowBlock& block, const Finisher& finisher, std::size_t system) {
  const std::size_t columns = finisher.columns().size();
  SystemResult result{block.systems[system], std::vector<double>(columns),
                      std::vector<double>(block.ids.size() * columns)};
  for (std::size_t m = 0; m < finisher.metrics(); ++m) {
    const auto rows = block.rows_of(system, m);
    const std::size_t width = finisher.row_width(m);
    const std::size_t first = finisher.first_column(m);
    finisher.finish(m, aggregate::sum_rows(rows, width), std::span(result.values).subspan(first));
    for (std::size_t item = 0; item < block.ids.size(); ++item) {
      finisher.finish(m, rows.subspan(item * width, width),
                      std::span(result.item_values).subspan(item * columns + first));
    }
  }
  return result;
}

bool counts_references(const ScoreOptions& options) {
  const auto metrics = make_metrics(options);
  return std::any_of(metrics.begin(), metrics.end(), [&](const PreparedMetric& metric) {
    return df_of(metric.metric->info(), options) == "refs";
  });
}

// Weights of words that were counted in the references of a part are those of no other part.
void refuse_weights_of_parts(const ScoreOptions& options) {
  for (const PreparedMetric& metric : make_metrics(options)) {
    if (metric.metric->info().weighs_by_references)
      throw UsageError(fmt::format(
          "{}.idf=yes weighs words by the references of a part, so that parts do not fit together; "
          "leave it out, or score shards of the whole",
          metric.name));
  }
}

// A score or a resampled one may be no number, and then there is no interval.
void warn_of_missing_intervals(Result& result) {
  for (const SystemResult& system : result.systems) {
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      const Interval& interval = system.intervals[i];
      if (std::isfinite(interval.low) && std::isfinite(interval.high)) continue;
      result.warnings.push_back(fmt::format("{}: {} has no interval, since a resampled score is not a number",
                                            system.name, result.columns[i].name));
    }
  }
}

}  // namespace

Result finish_rows(const aggregate::RowBlock& block, const ScoreOptions& options) {
  const Finisher finisher(block, options.detail);
  Result result;
  result.columns = finisher.columns();
  for (std::size_t system = 0; system < block.systems.size(); ++system)
    result.systems.push_back(finish_system(block, finisher, system));
  result.ids = block.ids;
  result.skipped = block.skipped;
  result.warnings = block.warnings;
  if (options.intervals) {
    check_resamples(options.intervals->resamples);
    ThreadPool pool(options.threads);
    const auto resampled =
        resample_scores(block, finisher, {options.intervals->resamples, options.intervals->seed}, pool);
    add_intervals(result, block, finisher, resampled, *options.intervals, pool);
    warn_of_few_units(block.ids.size(), "item", result.warnings);
    warn_of_missing_intervals(result);
  }
  return result;
}

}  // namespace pipeline

Result score(const Dataset& dataset, const ScoreOptions& options) {
  return pipeline::finish_rows(pipeline::compute_rows(dataset, options, 0, dataset.size()), options);
}

std::string shard_statistics(const Dataset& dataset, const ScoreOptions& options, Shard shard) {
  constexpr std::size_t kMost = 1'000'000'000;
  if (shard.count == 0 || shard.index >= shard.count || shard.count > kMost) {
    throw UsageError(fmt::format("shard {}/{}: expected i/n with 1 <= i <= n <= 1000000000", shard.index + 1,
                                 shard.count));
  }
  if (options.tokenizer == "ptb") {
    throw UsageError(
        "shards need a tokenizer that looks at each caption alone: use ptb-iso, 13a, none or karpathy");
  }
  const std::size_t first = dataset.size() * shard.index / shard.count;
  const std::size_t end = dataset.size() * (shard.index + 1) / shard.count;
  return aggregate::to_bytes(pipeline::compute_rows(dataset, options, first, end - first));
}

std::string part_statistics(const Dataset& part, const ScoreOptions& options) {
  if (options.tokenizer == "ptb") {
    throw UsageError(
        "parts need a tokenizer that looks at each caption alone: use ptb-iso, 13a, none or karpathy");
  }
  if (pipeline::counts_references(options)) {
    throw UsageError(
        "parts need document frequencies that are the same for all: use coco-val or a file made by `capella "
        "df`");
  }
  pipeline::refuse_weights_of_parts(options);
  aggregate::RowBlock block = pipeline::compute_rows(part, options, 0, part.size());
  block.total_items = aggregate::kOpenEnd;
  block.fingerprint = 0;
  return aggregate::to_bytes(block);
}

Result merge_statistics(std::span<const std::string> statistics, std::span<const std::string> names,
                        const ScoreOptions& options) {
  if (statistics.size() != names.size())
    throw UsageError("merge: one name per block of statistics is needed");
  std::vector<aggregate::RowBlock> blocks;
  for (std::size_t i = 0; i < statistics.size(); ++i)
    blocks.push_back(aggregate::from_bytes(statistics[i], names[i]));
  return pipeline::finish_rows(aggregate::join_blocks(std::move(blocks), names), options);
}

}  // namespace capella
