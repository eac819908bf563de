#include "pipeline/finisher.h"

#include <fmt/format.h>

#include "capella/error.h"

#include "pipeline/registry.h"
#include "pipeline/run_metrics.h"

namespace capella::pipeline {
namespace {

// Makes the metric of a stored run again; it must be the one that filled the rows.
std::unique_ptr<metric::Metric> remake_metric(const aggregate::MetricRun& run) {
  std::unique_ptr<metric::Metric> metric;
  try {
    metric = make_metric(run.name, run.settings);
  } catch (const Error& problem) {  // stored by another version, or damaged: not the caller's slip
    throw DataError(fmt::format("these statistics cannot be scored here: {}", problem.what()));
  }
  // The scores of a trained metric belong to one model; a file's name does not tell which.
  if (is_trained(metric->info()) && !run.signature_rest.starts_with(metric->choices(nullptr) + "|")) {
    throw DataError(fmt::format(
        "these statistics were made by another model than the one that {} is now ('{}', found '{}')",
        run.name, run.signature_rest, metric->choices(nullptr)));
  }
  if (metric->info().row_width != run.row_width) {
    throw DataError(
        fmt::format("rows of {} have {} numbers, expected {}: they were written by another version", run.name,
                    run.row_width, metric->info().row_width));
  }
  return metric;
}

}  // namespace

Finisher::Finisher(const aggregate::RowBlock& block, bool detail) {
  for (const aggregate::MetricRun& run : block.metrics) {
    Entry& entry = metrics_.emplace_back(Entry{remake_metric(run), {}, columns_.size()});
    const metric::Info& info = entry.metric->info();
    for (std::size_t i = 0; i < info.scores.size(); ++i) {
      const metric::ScoreInfo& score = info.scores[i];
      if (!detail && score.shown != metric::Shown::always) continue;
      entry.shown.push_back(i);
      columns_.push_back({score.name, score.high, score.display_scale, score.name + "|" + run.signature_rest,
                          score.shown != metric::Shown::numbers, score.low});
    }
  }
}

void Finisher::finish(std::size_t metric, std::span<const double> row, std::span<double> out) const {
  const Entry& entry = metrics_[metric];
  // Metrics have few scores; those of SPICE's detail are the most.
  thread_local std::vector<double> scores;
  scores.resize(entry.metric->info().scores.size());
  entry.metric->finish(row, scores);
  for (std::size_t i = 0; i < entry.shown.size(); ++i) out[i] = scores[entry.shown[i]];
}

}  // namespace capella::pipeline
