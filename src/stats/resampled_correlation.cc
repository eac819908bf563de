#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "stats/correlation.h"
#include "stats/nan.h"

namespace capella::stats {
namespace {

// Sums run in lanes, row i in lane i mod 8, which are added at the end: one order on every machine.
constexpr std::size_t kLanes = 8;

class LaneSum {
 public:
  void add(std::size_t lane, double value) { lanes_[lane] += value; }
  double total() const {
    return ((lanes_[0] + lanes_[1]) + (lanes_[2] + lanes_[3])) +
           ((lanes_[4] + lanes_[5]) + (lanes_[6] + lanes_[7]));
  }

 private:
  std::array<double, kLanes> lanes_ = {};
};

template <class Visit>
void for_each_lane(std::size_t rows, Visit visit) {
  std::size_t i = 0;
  for (; i + kLanes <= rows; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) visit(i + lane, lane);
  }
  for (std::size_t lane = 0; i + lane < rows; ++lane) visit(i + lane, lane);
}

double weighted_mean(std::span<const double> values, std::span<const std::uint32_t> weights, double rows) {
  LaneSum sum;
  for_each_lane(values.size(), [&](std::size_t i, std::size_t lane) {
    sum.add(lane, static_cast<std::int32_t>(weights[i]) * values[i]);
  });
  return sum.total() / rows;
}

double pearson_of(std::span<const double> x, std::span<const double> y,
                  std::span<const std::uint32_t> weights, double rows) {
  const double x_mean = weighted_mean(x, weights, rows);
  const double y_mean = weighted_mean(y, weights, rows);
  LaneSum xx;
  LaneSum yy;
  LaneSum xy;
  for_each_lane(x.size(), [&](std::size_t i, std::size_t lane) {
    const double dx = x[i] - x_mean;
    const double dy = y[i] - y_mean;
    const auto weight = static_cast<double>(static_cast<std::int32_t>(weights[i]));
    xx.add(lane, weight * dx * dx);
    xy.add(lane, weight * dx * dy);
    yy.add(lane, weight * dy * dy);
  });
  return std::clamp(xy.total() / std::sqrt(xx.total()) / std::sqrt(yy.total()), -1.0, 1.0);
}

// Divided by a power of 2, which changes no digit and no coefficient: squares of large values stay finite.
std::vector<double> scaled(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  std::vector<double> out(values.begin(), values.end());
  if (largest == 0 || std::isinf(largest)) return out;
  for (double& value : out) value = std::ldexp(value, -std::ilogb(largest));
  return out;
}

}  // namespace

ResampledCorrelation::ResampledCorrelation(std::span<const double> x, std::span<const double> y)
    : x_(scaled(x)), y_(scaled(y)) {
  assert(x.size() == y.size());
  if (!has_nan(x) && !has_nan(y)) counter_.emplace(x, y);
}

Correlations ResampledCorrelation::of(std::span<const std::uint32_t> weights) const {
  assert(weights.size() == x_.size());
  if (!counter_) return {kNan, kNan, kNan, kNan};
  const SampleCounts counts = counter_->of(weights);
  if (counts.pairs.x_classes < 2 || counts.pairs.y_classes < 2) return {kNan, kNan, kNan, kNan};
  const auto rows = static_cast<double>(counts.pairs.rows);
  return {tau_b(counts.pairs), tau_c(counts.pairs), pearson_of(x_, y_, weights, rows),
          rank_correlation(counts.ranks, counts.pairs.rows)};
}

}  // namespace capella::stats
