// References tokenised and metrics prepared, once for all captions that are to be scored against them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/pipeline.h"

#include "base/thread_pool.h"
#include "metric/metric.h"
#include "pipeline/run_metrics.h"
#include "pipeline/run_resources.h"
#include "text/tokenizer.h"

namespace capella::pipeline {

/// Immutable, so many threads may score with it.
class PreparedRun {
 public:
  /// Captions are going to be scored for the items in `range` only.
  PreparedRun(const Dataset& dataset, const ScoreOptions& options, ThreadPool& pool,
              metric::ItemRange range = {});

  const Dataset& dataset() const { return dataset_; }
  const metric::References& references() const { return references_; }
  const std::vector<PreparedMetric>& metrics() const { return metrics_; }
  std::size_t asked() const;  ///< how many of the metrics were asked for; these come first

  /// The rows of every metric, caption by caption; Batch::built_on need not be there.
  using Rows = std::vector<std::vector<double>>;
  Rows rows(const metric::Batch& batch) const;

  /// The scores that `metric` builds on, caption by caption.
  std::vector<std::vector<double>> built_on(const PreparedMetric& metric, const Rows& rows) const;

  /// The captions as the metrics want them: tokenised if any metric counts tokens, else empty.
  text::StringColumn tokens_of(std::span<const std::string_view> captions, ThreadPool& pool) const;

  /// What follows the score's name in the signatures of a metric's scores.
  std::string signature_rest(const PreparedMetric& metric) const;
  std::vector<std::string> warnings() const;

  /// Writes captions that were parsed to the cache, if there is one; adds a warning if that cannot be done.
  /// What comes later, captions of a reward, is not kept, nor are its vectors.
  void save_cache(std::vector<std::string>& warnings) const;

 private:
  void add_rows(std::size_t m, const metric::Batch& batch, Rows& rows) const;

  Dataset dataset_;
  text::Tokenizer tokenizer_;
  std::string device_;  // where encoders run
  std::vector<PreparedMetric> metrics_;
  RunResources resources_;
  std::unique_ptr<const text::TextSet> tokens_;
  metric::References references_;
};

}  // namespace capella::pipeline
