// How well two series of numbers agree: Kendall's tau-b and tau-c, Pearson's r and Spearman's rho, with
// p-values, digit by digit as scipy.stats has them.
//
// What is undefined (a constant series, not-a-number, too few rows) is NaN; whoever shows it says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/pair_counter.h"

namespace capella::stats {

double tau_b(const KendallCounts& counts);
double tau_c(const KendallCounts& counts);

/// A coefficient and the two-sided probability of one at least as far from 0 if there were no relation.
struct Coefficient {
  double value;
  double p;
};

struct KendallResult {
  KendallCounts counts;
  double tau_b;
  double tau_c;
  double p;             ///< exact for few rows without ties, else from the normal distribution
  double p_asymptotic;  ///< from the normal distribution
};

KendallResult kendall(std::span<const double> x, std::span<const double> y);
Coefficient pearson(std::span<const double> x, std::span<const double> y);
Coefficient spearman(std::span<const double> x, std::span<const double> y);

/// y = intercept + slope x, with the least squares. NaN if x is constant.
struct Line {
  double slope;
  double intercept;
};
Line fit_line(std::span<const double> x, std::span<const double> y);

/// The places of the values in ascending order, from 1; equal values share the mean of their places. What is
/// NaN has the rank NaN, and the others have theirs as if it were not there.
std::vector<double> average_ranks(std::span<const double> values);

struct Correlations {
  double kendall_b;
  double kendall_c;
  double pearson;
  double spearman;
};

/// The coefficients of many samples drawn from the same rows. Rows are sorted once; a sample then costs
/// O(rows x log classes of y). A sample in which row k comes w[k] times has exactly the coefficients of the
/// rows written out w[k] times each (Kendall's and Spearman's to the last bit, Pearson's up to rounding). If
/// any row has a NaN, drawn or not, all are NaN.
class ResampledCorrelation {
 public:
  ResampledCorrelation(std::span<const double> x, std::span<const double> y);

  /// Many threads may call it at once. One weight per row; their sum is below 2^31.
  Correlations of(std::span<const std::uint32_t> weights) const;

 private:
  std::vector<double> x_;  // scaled
  std::vector<double> y_;
  std::optional<PairCounter> counter_;  // none if something is NaN
};

}  // namespace capella::stats
