#include "stats/correlation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include <boost/math/distributions/beta.hpp>

#include "base/pairwise_sum.h"
#include "stats/nan.h"
#include "stats/spread.h"
#include "stats/t_distribution.h"

namespace capella::stats {
namespace {

bool is_constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
}

double within_one(double coefficient) {
  return std::clamp(coefficient, -1.0, 1.0);
}

bool is_defined(const KendallCounts& counts) {
  return counts.x_ties != counts.pairs && counts.y_ties != counts.pairs;
}

double factorial(std::int64_t n) {
  double product = 1;
  for (std::int64_t i = 2; i <= n; ++i) product *= static_cast<double>(i);
  return product;
}

// Of all orders of n <= 33 rows, the share with at most `few` or at least pairs - `few` discordant pairs.
// The number of orders of j rows with k discordant pairs is the sum, over the places of the last row, of
// those of j - 1 rows with k - (rows after it): a running sum over k, less what fell out of reach.
double share_of_orders(std::int64_t n, std::int64_t few) {
  std::vector<double> orders(few + 1, 0.0);
  orders[0] = 1;
  for (std::int64_t j = 2; j <= n; ++j) {
    std::partial_sum(orders.begin(), orders.end(), orders.begin());
    for (std::int64_t k = few; k >= j; --k) orders[k] -= orders[k - j];
  }
  return 2 * std::accumulate(orders.begin(), orders.end(), 0.0) / factorial(n);
}

double exact_kendall_p(const KendallCounts& counts) {
  const std::int64_t n = counts.rows;
  const std::int64_t few = std::min(counts.discordant, counts.pairs - counts.discordant);
  if (n <= 2 || 2 * few == counts.pairs) return 1;
  if (few == 0) return 2 / factorial(n);
  if (few == 1) return 2 / factorial(n - 1);
  return std::min(1.0, share_of_orders(n, few));
}

// Of tie groups of t rows: the sums of t(t-1)(t-2) and of t(t-1)(2t+5).
struct TieSums {
  double threes = 0;
  double spread = 0;
};

TieSums tie_sums(std::span<const std::int64_t> class_sizes) {
  TieSums sums;
  for (const std::int64_t size : class_sizes) {
    const auto t = static_cast<double>(size);
    sums.threes += t * (t - 1) * (t - 2);
    sums.spread += t * (t - 1) * (2 * t + 5);
  }
  return sums;
}

double asymptotic_kendall_p(const KendallCounts& counts, const TieSums& x, const TieSums& y) {
  const auto n = static_cast<double>(counts.rows);
  const double m = n * (n - 1);
  const double tied = static_cast<double>(counts.x_ties) * static_cast<double>(counts.y_ties);
  const double variance =
      (m * (2 * n + 5) - x.spread - y.spread) / 18 + 2 * tied / m + x.threes * y.threes / (9 * m * (n - 2));
  const double z = static_cast<double>(counts.surplus()) / std::sqrt(variance);
  return std::erfc(std::abs(z) / std::sqrt(2.0));
}

double kendall_p(const KendallCounts& counts, double asymptotic) {
  constexpr std::int64_t kFewRows = 33;
  const bool ties = counts.x_ties != 0 || counts.y_ties != 0;
  const std::int64_t few = std::min(counts.discordant, counts.pairs - counts.discordant);
  return !ties && (counts.rows <= kFewRows || few <= 1) ? exact_kendall_p(counts) : asymptotic;
}

// The values less their mean, made so that their squares add up to 1.
std::vector<double> normalized(std::span<const double> values) {
  const double mean = pairwise_sum(values.data(), values.size()) / static_cast<double>(values.size());
  std::vector<double> out(values.begin(), values.end());
  double largest = 0;
  for (double& value : out) {
    value -= mean;
    largest = std::max(largest, std::abs(value));
  }
  double squares = 0;
  for (const double value : out) squares += value / largest * (value / largest);
  const double norm = largest * std::sqrt(squares);
  for (double& value : out) value /= norm;
  return out;
}

// r is distributed as 2 b - 1 with b from the beta distribution with a = b = n/2 - 1.
double pearson_p(double r, std::size_t rows) {
  if (std::isnan(r)) return kNan;
  const double half = static_cast<double>(rows) / 2 - 1;
  const boost::math::beta_distribution<double> distribution(half, half);
  return 2 * cdf(distribution, (1 - std::abs(r)) / 2);
}

double spearman_p(double rho, std::size_t rows) {
  if (rows < 3) return kNan;
  const auto freedom = static_cast<double>(rows - 2);
  return two_sided_t(rho * std::sqrt(freedom / ((1 + rho) * (1 - rho))), freedom);
}

}  // namespace

double tau_b(const KendallCounts& counts) {
  if (!is_defined(counts)) return kNan;
  return within_one(static_cast<double>(counts.surplus()) /
                    std::sqrt(static_cast<double>(counts.pairs - counts.x_ties)) /
                    std::sqrt(static_cast<double>(counts.pairs - counts.y_ties)));
}

double tau_c(const KendallCounts& counts) {
  if (!is_defined(counts)) return kNan;
  const auto n = static_cast<double>(counts.rows);
  const auto classes = static_cast<double>(std::min(counts.x_classes, counts.y_classes));
  return within_one(static_cast<double>(2 * counts.surplus()) / (n * n * (classes - 1) / classes));
}

KendallResult kendall(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  KendallResult result = {{}, kNan, kNan, kNan, kNan};
  result.counts.rows = static_cast<std::int64_t>(x.size());
  if (has_nan(x) || has_nan(y)) return result;
  const PairCounter counter(x, y);
  result.counts = counter.of(std::vector<std::uint32_t>(x.size(), 1)).pairs;
  if (!is_defined(result.counts)) return result;
  result.tau_b = tau_b(result.counts);
  result.tau_c = tau_c(result.counts);
  result.p_asymptotic = asymptotic_kendall_p(result.counts, tie_sums(counter.x_class_sizes()),
                                             tie_sums(counter.y_class_sizes()));
  result.p = kendall_p(result.counts, result.p_asymptotic);
  return result;
}

Coefficient pearson(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  if (x.size() < 2 || has_nan(x) || has_nan(y) || is_constant(x) || is_constant(y)) return {kNan, kNan};
  if (x.size() == 2) return {(x[0] < x[1]) == (y[0] < y[1]) ? 1.0 : -1.0, 1.0};
  const std::vector<double> a = normalized(x);
  const std::vector<double> b = normalized(y);
  const double r = within_one(std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
  return {r, pearson_p(r, x.size())};
}

Coefficient spearman(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  if (x.size() < 2 || has_nan(x) || has_nan(y) || is_constant(x) || is_constant(y)) return {kNan, kNan};
  const SampleCounts counts = PairCounter(x, y).of(std::vector<std::uint32_t>(x.size(), 1));
  const double rho = rank_correlation(counts.ranks, counts.pairs.rows);
  return {rho, spearman_p(rho, x.size())};
}

std::vector<double> average_ranks(std::span<const double> values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size(), kNan);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && !(values[order[begin]] < values[order[end]])) ++end;
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = shared;
  }
  return ranks;
}

Line fit_line(std::span<const double> x, std::span<const double> y) {
  const double count = static_cast<double>(x.size());
  const double x_mean = pairwise_sum(x.data(), x.size()) / count;
  const double y_mean = pairwise_sum(y.data(), y.size()) / count;
  const double unit = unit_of(x, x_mean);
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double from_mean = (x[i] - x_mean) / unit;
    products += from_mean * (y[i] - y_mean);
    squares += from_mean * from_mean;
  }
  const double slope = products / squares / unit;
  return {slope, y_mean - slope * x_mean};
}

}  // namespace capella::stats
