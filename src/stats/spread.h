// The mean of some numbers and how far they lie from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "base/pairwise_sum.h"

namespace capella::stats {

struct Spread {
  double mean;
  double deviation;  ///< n - 1; 0 for a single number
};

/// A power of two near the largest distance from `middle`, or 1 where there is none. Whatever is divided by
/// it keeps its digits, and its square is neither 0 nor infinite.
inline double unit_of(std::span<const double> values, double middle) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - middle));
  return largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, std::ilogb(largest)) : 1;
}

/// Of one number or more; NaN if one of them is.
inline Spread spread_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = pairwise_sum(values.data(), values.size()) / count;
  const double unit = unit_of(values, mean);
  double squares = 0;
  for (const double value : values) squares += (value - mean) / unit * ((value - mean) / unit);
  return {mean, values.size() == 1 ? squares : unit * std::sqrt(squares / (count - 1))};
}

}  // namespace capella::stats
