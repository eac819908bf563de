// What intervals and tests share.
#pragma once

namespace capella {

struct Interval {
  double low;
  double high;
};

/// A difference is called real if its corrected p-value is below this.
inline constexpr double kSignificance = 0.05;

}  // namespace capella
