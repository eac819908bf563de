// Scoring a few captions with one metric, on the text as it stands.
#pragma once

#include <string>
#include <vector>

#include "capella/pipeline.h"

#include "aggregate/row_block.h"
#include "support/corpus.h"

namespace capella::test {

inline ScoreOptions one_metric(const std::string& metric, std::vector<std::string> settings = {}) {
  ScoreOptions options;
  options.metrics = {metric};
  options.tokenizer = "none";
  options.settings = std::move(settings);
  options.threads = 1;
  return options;
}

inline Result score_items(const std::vector<Item>& items, const std::string& metric,
                          std::vector<std::string> settings = {}) {
  return score(make_dataset(items), one_metric(metric, std::move(settings)));
}

/// The rows, item by item, that the metric fills.
inline std::vector<double> rows_of_items(const std::vector<Item>& items, const std::string& metric) {
  const std::string bytes = shard_statistics(make_dataset(items), one_metric(metric), {0, 1});
  return aggregate::from_bytes(bytes, "test").rows.at(0);
}

}  // namespace capella::test
