#include "reference/stats_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/random.h"

namespace capella::reference {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

long long surplus(const PairCounts& counts) {
  return counts.concordant - counts.discordant;
}

bool is_defined(const Numbers& x, const Numbers& y) {
  return distinct(x) > 1 && distinct(y) > 1;
}

// A sum in extended precision.
template <class Term>
long double sum_over(std::size_t count, Term term) {
  long double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += term(i);
  return sum;
}

}  // namespace

PairCounts count_pairs(const Numbers& x, const Numbers& y) {
  PairCounts counts;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      ++counts.pairs;
      counts.x_ties += x[i] == x[j];
      counts.y_ties += y[i] == y[j];
      counts.both_ties += x[i] == x[j] && y[i] == y[j];
      counts.concordant += (x[i] < x[j] && y[i] < y[j]) || (x[i] > x[j] && y[i] > y[j]);
      counts.discordant += (x[i] < x[j] && y[i] > y[j]) || (x[i] > x[j] && y[i] < y[j]);
    }
  }
  return counts;
}

std::size_t distinct(const Numbers& values) {
  return std::set<double>(values.begin(), values.end()).size();
}

double tau_b(const Numbers& x, const Numbers& y) {
  if (!is_defined(x, y)) return kNan;
  const PairCounts counts = count_pairs(x, y);
  const auto untied = static_cast<long double>(counts.pairs - counts.x_ties) * (counts.pairs - counts.y_ties);
  return static_cast<double>(surplus(counts) / std::sqrt(untied));
}

double tau_c(const Numbers& x, const Numbers& y) {
  if (!is_defined(x, y)) return kNan;
  const auto rows = static_cast<long double>(x.size());
  const auto classes = static_cast<long double>(std::min(distinct(x), distinct(y)));
  return static_cast<double>(2 * surplus(count_pairs(x, y)) / (rows * rows * (classes - 1) / classes));
}

double pearson(const Numbers& x, const Numbers& y) {
  if (!is_defined(x, y)) return kNan;
  const std::size_t n = x.size();
  const long double x_mean = sum_over(n, [&](std::size_t i) { return x[i]; }) / n;
  const long double y_mean = sum_over(n, [&](std::size_t i) { return y[i]; }) / n;
  const long double xy = sum_over(n, [&](std::size_t i) { return (x[i] - x_mean) * (y[i] - y_mean); });
  const long double xx = sum_over(n, [&](std::size_t i) { return (x[i] - x_mean) * (x[i] - x_mean); });
  const long double yy = sum_over(n, [&](std::size_t i) { return (y[i] - y_mean) * (y[i] - y_mean); });
  return static_cast<double>(xy / std::sqrt(xx * yy));
}

double spearman(const Numbers& x, const Numbers& y) {
  return pearson(average_ranks(x), average_ranks(y));
}

Numbers average_ranks(const Numbers& values) {
  Numbers ranks;
  for (const double value : values) {
    double rank = 0.5;  // the value meets itself among the equal ones
    for (const double other : values) rank += other < value ? 1.0 : other == value ? 0.5 : 0.0;
    ranks.push_back(rank);
  }
  return ranks;
}

double permutation_p(const Numbers& x, Numbers y) {
  const long long observed = std::abs(surplus(count_pairs(x, y)));
  std::sort(y.begin(), y.end());
  long long orders = 0;
  long long as_far = 0;
  do {
    ++orders;
    as_far += std::abs(surplus(count_pairs(x, y))) >= observed;
  } while (std::next_permutation(y.begin(), y.end()));
  return static_cast<double>(as_far) / static_cast<double>(orders);
}

Numbers written_out(const Numbers& values, const std::vector<std::uint32_t>& weights) {
  Numbers out;
  for (std::size_t i = 0; i < values.size(); ++i) out.insert(out.end(), weights[i], values[i]);
  return out;
}

std::vector<std::vector<std::size_t>> draws(std::size_t units, std::size_t resamples, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::size_t>> all(resamples);
  for (std::vector<std::size_t>& drawn : all) {
    for (std::size_t i = 0; i < units; ++i) drawn.push_back(random.below(static_cast<std::uint32_t>(units)));
  }
  return all;
}

std::vector<std::vector<bool>> side_changes(std::size_t units, std::size_t trials, std::uint64_t seed) {
  std::vector<std::uint8_t> coins(units * trials);
  Random(seed).coins(coins);
  std::vector<std::vector<bool>> all;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const auto begin = coins.begin() + static_cast<std::ptrdiff_t>(trial * units);
    all.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(units));
  }
  return all;
}

Numbers sum_rows(const Numbers& rows, std::size_t width, const std::vector<std::size_t>& units) {
  Numbers sums(width, 0.0);
  for (const std::size_t unit : units) {
    for (std::size_t i = 0; i < width; ++i) sums[i] += rows[unit * width + i];
  }
  return sums;
}

double sign_flip_p(const Numbers& differences) {
  constexpr double kRounding = 1e-12;
  const std::size_t n = differences.size();
  const double observed = std::abs(std::accumulate(differences.begin(), differences.end(), 0.0));
  const std::size_t ways = std::size_t{1} << n;
  std::size_t as_far = 0;
  for (std::size_t way = 0; way < ways; ++way) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += way >> i & 1 ? -differences[i] : differences[i];
    as_far += std::abs(sum) >= observed - kRounding;
  }
  return static_cast<double>(as_far) / static_cast<double>(ways);
}

Numbers holm(const Numbers& p_values) {
  Numbers corrected;
  for (const double p : p_values) {
    double largest = std::isnan(p) ? kNan : 0;
    for (const double other : p_values) {
      if (!(other <= p)) continue;
      const auto left = std::count_if(p_values.begin(), p_values.end(), [&](double q) { return q >= other; });
      largest = std::max(largest, std::min(1.0, static_cast<double>(left) * other));
    }
    corrected.push_back(largest);
  }
  return corrected;
}

}  // namespace capella::reference
