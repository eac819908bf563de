// Mann and Whitney's statistic over the ranks of all scores.
#include "stats/auc.h"

#include <cassert>
#include <cmath>

#include "stats/correlation.h"
#include "stats/nan.h"

namespace capella::stats {

double area_under_curve(std::span<const double> scores, const std::vector<bool>& right) {
  assert(scores.size() == right.size());
  const std::vector<double> ranks = average_ranks(scores);
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores[i])) return kNan;
    if (!right[i]) continue;
    sum += ranks[i];
    count += 1;
  }
  const double others = static_cast<double>(scores.size()) - count;
  if (count == 0 || others == 0) return kNan;
  return (sum - count * (count + 1) / 2) / (count * others);
}

}  // namespace capella::stats
