// Numbers as reports write them.
#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "capella/interval.h"

namespace capella::report {

inline std::string fixed(double value, int decimals = 4) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "-";
}

/// ... or, for programs, with all digits.
inline std::string shown(double value, int decimals, bool exact) {
  return exact && !std::isnan(value) ? fmt::format("{}", value) : fixed(value, decimals);
}

inline std::string between(const Interval& interval, int decimals) {
  if (std::isnan(interval.low)) return "-";
  return fmt::format("[{:.{}f}, {:.{}f}]", interval.low, decimals, interval.high, decimals);
}

/// A probability, with more digits near 0 and 1: "0.93", "0.004", "0.9996".
inline std::string probability(double p) {
  if (p < .0001) return "below 0.0001";
  if (p > .9999) return "above 0.9999";
  return fmt::format("{:.{}f}", p, p < .01 || p > .99 ? 4 : 2);
}

}  // namespace capella::report
