#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/erf.hpp>

#include "base/pairwise_sum.h"
#include "stats/bootstrap.h"
#include "stats/nan.h"

namespace capella::stats {
namespace {

constexpr double kTail = 0.025;

// The standard normal distribution and its inverse.
double normal_cdf(double z) {
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

double normal_quantile(double p) {
  return -std::sqrt(2.0) * boost::math::erfc_inv(2 * p);
}

// Between the two values nearest to the share `p` of the way from the first to the last.
double quantile(std::span<const double> sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

// The share of replicates below the estimate. Those equal to it, but for rounding, count half.
double share_below(std::span<const double> sorted, double estimate) {
  constexpr double kRounding = 1e-12;
  const double slack = kRounding * std::abs(estimate);
  const auto less = std::lower_bound(sorted.begin(), sorted.end(), estimate - slack) - sorted.begin();
  const auto not_more = std::upper_bound(sorted.begin(), sorted.end(), estimate + slack) - sorted.begin();
  return static_cast<double>(less + not_more) / (2 * static_cast<double>(sorted.size()));
}

// How fast the estimate's deviation changes with the estimate, from the skewness of the jackknife.
double acceleration(std::span<const double> jackknife) {
  const double mean =
      pairwise_sum(jackknife.data(), jackknife.size()) / static_cast<double>(jackknife.size());
  double largest = 0;
  for (const double value : jackknife) largest = std::max(largest, std::abs(mean - value));
  if (largest == 0) return 0;
  double squares = 0;
  double cubes = 0;
  for (const double value : jackknife) {
    const double influence = (mean - value) / largest;  // so that the powers of small ones do not vanish
    squares += influence * influence;
    cubes += influence * influence * influence;
  }
  return cubes / (6 * std::pow(squares, 1.5));
}

}  // namespace

Interval percentile_interval(std::vector<double> replicates) {
  if (replicates.empty() || has_nan(replicates)) return {kNan, kNan};
  std::sort(replicates.begin(), replicates.end());
  const std::size_t outside = replicates.size() / 40;
  return {replicates[outside], replicates[replicates.size() - outside - 1]};
}

Interval bca_interval(double estimate, std::vector<double> replicates, std::span<const double> jackknife) {
  if (replicates.empty() || jackknife.empty() || !std::isfinite(estimate) || !all_finite(replicates) ||
      !all_finite(jackknife)) {
    return {kNan, kNan};
  }
  std::sort(replicates.begin(), replicates.end());
  const double share = share_below(replicates, estimate);
  if (share == 0 || share == 1) return {kNan, kNan};  // the bias cannot be told
  const double bias = normal_quantile(share);
  const double speed = acceleration(jackknife);
  const auto corrected = [&](double p) {
    const double z = bias + normal_quantile(p);
    return 1 - speed * z > 0 ? normal_cdf(bias + z / (1 - speed * z)) : kNan;
  };
  const double low = corrected(kTail);
  const double high = corrected(1 - kTail);
  if (!std::isfinite(low) || !std::isfinite(high)) return {kNan, kNan};
  return {quantile(replicates, low), quantile(replicates, high)};
}

}  // namespace capella::stats
