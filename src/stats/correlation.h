// How well two series of numbers agree: Kendall's tau-b and tau-c, Pearson's r and Spearman's rho, with
// p-values, digit by digit as scipy.stats has them.
//
// What is undefined (a constant series, not-a-number, too few rows) is NaN; whoever shows it says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace capella::stats {

/// What all variants of Kendall's tau are made of; exact.
struct KendallCounts {
  std::int64_t rows = 0;
  std::int64_t pairs = 0;       ///< of rows
  std::int64_t x_ties = 0;      ///< pairs equal in x
  std::int64_t y_ties = 0;      ///< pairs equal in y
  std::int64_t both_ties = 0;   ///< pairs equal in both
  std::int64_t discordant = 0;  ///< pairs ordered one way in x and the other way in y
  std::int64_t x_classes = 0;   ///< distinct values of x
  std::int64_t y_classes = 0;

  std::int64_t surplus() const { return pairs - x_ties - y_ties + both_ties - 2 * discordant; }
};

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

/// The places of the values in ascending order, from 1; equal values share the mean of their places.
std::vector<double> average_ranks(std::span<const double> values);

struct Correlations {
  double kendall_b;
  double kendall_c;
  double pearson;
  double spearman;
};

/// The coefficients of many samples drawn from the same rows. Rows are sorted once; a sample then costs
/// O(rows x log classes of y). A sample in which row k comes w[k] times has exactly the coefficients of the
/// rows written out w[k] times each (Kendall's to the last bit, the others up to rounding).
class ResampledCorrelation {
 public:
  ResampledCorrelation(std::span<const double> x, std::span<const double> y);

  /// Many threads may call it at once. One weight per row.
  Correlations of(std::span<const std::uint32_t> weights) const;

 private:
  // The implementer chooses.
};

}  // namespace capella::stats
