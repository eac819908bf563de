#include "metric/metric.h"

#include <algorithm>

#include "capella/error.h"

#include "base/names.h"

namespace capella::metric {

std::size_t main_score(const Info& info) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < info.scores.size(); ++i) {
    if (info.scores[i].shown == Shown::always) last = i;
  }
  return last;
}

std::size_t find_score(const Info& info, std::string_view name) {
  if (name.empty()) return main_score(info);
  std::vector<std::string_view> names;
  for (const ScoreInfo& score : info.scores) names.push_back(score.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw UsageError(unknown_name_message("score of " + info.name, name, names));
  return static_cast<std::size_t>(found - names.begin());
}

void MeanMetric::rows(const Batch& batch, const State* state, double* out) const {
  for (std::size_t k = 0; k < batch.size(); ++k) {
    out[2 * k] = value(batch, k, state);
    out[2 * k + 1] = 1.0;
  }
}

}  // namespace capella::metric
