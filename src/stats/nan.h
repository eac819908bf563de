// What is undefined is NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace capella::stats {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

inline bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

inline bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace capella::stats
