// References tokenised and metrics prepared, once for all captions that are to be scored against them.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/pipeline.h"

#include "base/thread_pool.h"
#include "metric/metric.h"
#include "resource/df_table.h"
#include "resource/meteor_data.h"
#include "text/tokenizer.h"

namespace capella::pipeline {

/// The table of document frequencies a `df` option names: null for "refs", else the built-in one or a file.
std::unique_ptr<const resource::DfTable> open_df(const std::string& df);

/// A metric, its settings and what it learnt from the references.
struct PreparedMetric {
  std::string name;
  std::map<std::string, std::string> settings;  ///< only those that were set
  std::unique_ptr<metric::Metric> metric;
  std::unique_ptr<const metric::State> state;
};

/// The metrics of a run, not yet prepared. Throws UsageError if there are none or one cannot be made.
std::vector<PreparedMetric> make_metrics(const ScoreOptions& options);

/// METEOR's data if any of the metrics needs it, else null. Throws FileError with the command that gets it.
std::unique_ptr<const resource::MeteorData> open_meteor(std::span<const PreparedMetric> metrics);

/// Immutable, so many threads may score with it.
class PreparedRun {
 public:
  PreparedRun(const Dataset& dataset, const ScoreOptions& options, ThreadPool& pool);

  const Dataset& dataset() const { return dataset_; }
  const metric::References& references() const { return references_; }
  const std::vector<PreparedMetric>& metrics() const { return metrics_; }

  /// The captions as the metrics want them: tokenised if any metric counts tokens, else empty.
  text::StringColumn tokens_of(std::span<const std::string_view> captions, ThreadPool& pool) const;

  /// What follows the score's name in the signatures of a metric's scores.
  std::string signature_rest(const PreparedMetric& metric) const;
  std::vector<std::string> warnings() const;

 private:
  Dataset dataset_;
  text::Tokenizer tokenizer_;
  std::unique_ptr<const resource::DfTable> df_;
  std::vector<PreparedMetric> metrics_;
  std::unique_ptr<const resource::MeteorData> meteor_;
  std::unique_ptr<const text::TextSet> tokens_;
  metric::References references_;
};

}  // namespace capella::pipeline
