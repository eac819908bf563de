#include "stats/paired_tests.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <vector>

#include "base/pairwise_sum.h"
#include "stats/nan.h"
#include "stats/t_distribution.h"

namespace capella::stats {
namespace {

double mean(std::span<const double> values) {
  return pairwise_sum(values.data(), values.size()) / static_cast<double>(values.size());
}

// Differences that ought to be equal are computed along different ways: they may differ by this.
double rounding(double observed, std::span<const double> differences) {
  constexpr double kRelative = 1e-10;
  double largest = std::abs(observed);
  for (const double difference : differences) largest = std::max(largest, std::abs(difference));
  return kRelative * largest;
}

// The observed data is itself one of the cases, hence the added ones.
double share_with_observed(std::ptrdiff_t cases, std::size_t tried) {
  return static_cast<double>(cases + 1) / static_cast<double>(tried + 1);
}

bool is_testable(double observed, std::span<const double> differences) {
  return std::isfinite(observed) && all_finite(differences);
}

// The determinant of a matrix of three correlations, written so that little cancels where r23 is near 1.
double correlation_determinant(double r12, double r13, double r23) {
  return (1 - r23) * (1 + r23 - 2 * r12 * r13) - (r12 - r13) * (r12 - r13);
}

}  // namespace

double paired_bootstrap_p(double observed, std::span<const double> differences) {
  if (!is_testable(observed, differences)) return kNan;
  const double far = std::abs(observed) - rounding(observed, differences);
  const auto cases = std::count_if(differences.begin(), differences.end(),
                                   [&](double difference) { return std::abs(difference - observed) >= far; });
  return share_with_observed(cases, differences.size());
}

double sacrebleu_bootstrap_p(double observed, std::span<const double> differences) {
  if (!is_testable(observed, differences)) return kNan;
  std::vector<double> sizes(differences.begin(), differences.end());
  for (double& size : sizes) size = std::abs(size);
  const double centre = mean(sizes);
  const auto cases = std::count_if(sizes.begin(), sizes.end(),
                                   [&](double size) { return size - centre > std::abs(observed); });
  return share_with_observed(cases, sizes.size());
}

double randomization_p(double observed, std::span<const double> differences, bool exact) {
  if (!is_testable(observed, differences)) return kNan;
  const double far = std::abs(observed) - rounding(observed, differences);
  const auto cases = std::count_if(differences.begin(), differences.end(),
                                   [&](double difference) { return std::abs(difference) >= far; });
  return exact ? static_cast<double>(cases) / static_cast<double>(differences.size())
               : share_with_observed(cases, differences.size());
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (!std::isnan(p_values[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> corrected(p_values.begin(), p_values.end());
  double highest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    highest = std::max(highest, std::min(1.0, left * p_values[order[i]]));
    corrected[order[i]] = highest;
  }
  return corrected;
}

double paired_effect_size(std::span<const double> first, std::span<const double> second) {
  assert(first.size() == second.size());
  std::vector<double> differences(first.size());
  std::transform(first.begin(), first.end(), second.begin(), differences.begin(), std::minus<>());
  if (differences.empty()) return kNan;
  if (std::all_of(differences.begin(), differences.end(), [](double value) { return value == 0; })) return 0;
  if (differences.size() < 2) return kNan;
  const double centre = mean(differences);
  double squares = 0;
  for (const double value : differences) squares += (value - centre) * (value - centre);
  return centre / std::sqrt(squares / static_cast<double>(differences.size() - 1));
}

WilliamsResult williams(double r12, double r13, double r23, std::size_t rows) {
  if (rows < 4 || std::isnan(r12 + r13 + r23)) return {kNan, kNan};
  constexpr double kRounding = 1e-12;  // of coefficients, and of what is made of them
  if (std::abs(r12 - r13) <= kRounding) return {0, 1};
  const double determinant = correlation_determinant(r12, r13, r23);
  if (determinant < -kRounding) return {kNan, kNan};
  const auto n = static_cast<double>(rows);
  const double middle = (r12 + r13) / 2;
  const double apart = 1 - r23;
  const double spread =
      2 * std::max(determinant, 0.0) * (n - 1) / (n - 3) + middle * middle * apart * apart * apart;
  if (!(spread > 0)) return {kNan, kNan};
  const double t = (r12 - r13) * std::sqrt((n - 1) * (1 + r23) / spread);
  return {t, two_sided_t(t, n - 3)};
}

}  // namespace capella::stats
