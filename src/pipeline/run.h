// One run over a data set: references tokenised and metrics prepared once, then captions scored batch by
// batch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/pipeline.h"

#include "aggregate/row_block.h"
#include "base/thread_pool.h"
#include "metric/metric.h"
#include "resource/df_table.h"
#include "text/tokenizer.h"

namespace capella::pipeline {

/// The table of document frequencies a `df` option names: null for "refs", else the built-in one or a file.
std::unique_ptr<const resource::DfTable> open_df(const std::string& df);

/// A metric, its settings and what it learnt from the references.
struct PreparedMetric {
  std::string name;
  std::map<std::string, std::string> settings;
  std::unique_ptr<metric::Metric> metric;
  std::unique_ptr<const metric::State> state;
};

/// The references and the prepared metrics; immutable, so many threads may score with it.
class PreparedRun {
 public:
  PreparedRun(const Dataset& dataset, const ScoreOptions& options, ThreadPool& pool);

  const Dataset& dataset() const { return dataset_; }
  const metric::References& references() const { return references_; }
  const std::vector<PreparedMetric>& metrics() const { return metrics_; }
  text::Tokenizer tokenizer() const { return tokenizer_; }

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
  std::unique_ptr<const text::TextSet> tokens_;
  metric::References references_;
};

/// The rows of items first ... first + count - 1 of every system.
aggregate::RowBlock compute_rows(const Dataset& dataset, const ScoreOptions& options, std::size_t first,
                                 std::size_t count);

/// The scores of a whole run.
Result finish_rows(aggregate::RowBlock block);

}  // namespace capella::pipeline
