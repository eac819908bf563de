#include "metric/metric.h"

namespace capella::metric {

std::size_t main_score(const Info& info) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < info.scores.size(); ++i) {
    if (info.scores[i].shown == Shown::always) last = i;
  }
  return last;
}

void MeanMetric::rows(const Batch& batch, const State* state, double* out) const {
  for (std::size_t k = 0; k < batch.size(); ++k) {
    out[2 * k] = value(batch, k, state);
    out[2 * k + 1] = 1.0;
  }
}

}  // namespace capella::metric
