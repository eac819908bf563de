// Is a difference more than chance? Tests for two systems on the same items or two metrics on the same
// ratings, and the correction for asking many times.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace capella::stats {

/// Two-sided: how often a resampled difference strays from the observed one at least as far as the observed
/// one is from 0. (c + 1) / (B + 1). NaN, as in the other tests, unless all is finite.
double paired_bootstrap_p(double observed, std::span<const double> differences);

/// The same as sacreBLEU computes it, for comparison: differences lose their sign before they are centred,
/// which makes it nearly one-sided.
double sacrebleu_bootstrap_p(double observed, std::span<const double> differences);

/// How often chance makes a difference at least as large: (c + 1) / (T + 1), or c / T if all assignments were
/// tried. Differences that are equal but for rounding count as equal.
double randomization_p(double observed, std::span<const double> differences, bool exact);

/// Holm's correction: the p-values as they may be held against one level. NaN stays NaN and is not counted.
std::vector<double> holm(std::span<const double> p_values);

/// Cohen's d of paired values: mean of the differences by their standard deviation (n - 1). 0 if all are 0.
double paired_effect_size(std::span<const double> first, std::span<const double> second);

/// Williams' test of two correlations that share a variable: r12 and r13 with the shared variable 1, r23
/// between the other two. t is 0 and p is 1 if r12 and r13 are equal but for rounding. Both are NaN for fewer
/// than four rows, for coefficients that no three series can have, and where r23 is 1 and the others differ.
struct WilliamsResult {
  double t;
  double p;  ///< two-sided
};
WilliamsResult williams(double r12, double r13, double r23, std::size_t rows);

}  // namespace capella::stats
