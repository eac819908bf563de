// What intervals and tests share.
#pragma once

namespace capella {

struct Interval {
  double low;
  double high;
};

/// A difference is called real if its corrected p-value is below this.
inline constexpr double kSignificance = 0.05;

/// What a test can say of a difference.
enum class Verdict {
  real,       ///< more than chance
  not_real,   ///< no more than chance may do
  undecided,  ///< there is no p-value, or none that could be trusted or small enough
};

}  // namespace capella
