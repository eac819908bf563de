// Word Mover's Distance of items, straight from the metric, with any vectors.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "metric/wmd.h"
#include "metric/wmd_scorer.h"
#include "support/metric_texts.h"

namespace capella::test {

inline std::unique_ptr<metric::Metric> make_wmd(const std::map<std::string, std::string>& values = {}) {
  metric::Settings settings("wmd", metric::kWmdSettings);
  for (const auto& [key, value] : values) settings.set(key, value);
  return metric::make_wmd(settings);
}

/// For each item the distances to its references.
inline std::vector<std::vector<double>> wmd_distances(const std::vector<reference::Item>& items,
                                                      const resource::WordVectors& vectors,
                                                      metric::VectorNorm norm, metric::WmdSolver solver) {
  const MetricTexts texts(items, text::Detail::words);
  const metric::WmdPrepared prepared(texts.references(), vectors, norm, {});
  const metric::Batch batch = texts.batch();
  metric::WmdScorer scorer(batch, prepared, solver);
  std::vector<std::vector<double>> distances;
  for (std::size_t k = 0; k < items.size(); ++k) distances.push_back(scorer.distances(k));
  return distances;
}

/// The score of each item.
inline std::vector<double> wmd_scores(const metric::Metric& metric, const std::vector<reference::Item>& items,
                                      const resource::WordVectors& vectors) {
  metric::Resources resources;
  resources.vectors = &vectors;
  const std::vector<double> rows = MetricTexts(items, metric.info().reads).rows(metric, resources);
  std::vector<double> scores(items.size());
  for (std::size_t k = 0; k < items.size(); ++k) metric.finish({&rows[2 * k], 2}, {&scores[k], 1});
  return scores;
}

}  // namespace capella::test
