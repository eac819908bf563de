// The metrics of a run: those the user asked for, and those these are made of.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capella/pipeline.h"

#include "metric/metric.h"

namespace capella::pipeline {

/// A metric, its settings and what it learnt from the references.
struct PreparedMetric {
  /// A score of another of the run's metrics.
  struct Part {
    std::size_t metric;  ///< its place among the run's metrics
    std::size_t score;   ///< a place in its Info::scores
  };
  std::string name;
  std::map<std::string, std::string> settings;  ///< only those that were set
  std::unique_ptr<metric::Metric> metric;
  std::unique_ptr<const metric::State> state = {};
  bool asked = true;                ///< false: another metric builds on it, and it is not shown
  std::vector<Part> built_on = {};  ///< one for each of Info::builds_on
};

/// The metrics of a run, not yet prepared: those asked for in their order, then others that these build on.
/// Throws UsageError if there are none or one cannot be made, or not under the run's tokenizer.
std::vector<PreparedMetric> make_metrics(const ScoreOptions& options);

/// The same for one metric of the registry, with nothing set: itself, then what it builds on. An empty
/// tokenizer suits every metric.
std::vector<PreparedMetric> make_metrics_for(const std::string& name, const std::string& tokenizer);

/// Whether the metric was trained on others' scores made in one way, and takes no others.
bool is_trained(const metric::Info& info);

/// The table of document frequencies that a metric of the run wants: refs, coco-val or a file's path; empty
/// if it wants none.
std::string df_of(const metric::Info& info, const ScoreOptions& options);

/// Throws DataError if a prepared metric was trained on other scores than those it would get here.
void check_foundations(const std::vector<PreparedMetric>& metrics);

}  // namespace capella::pipeline
