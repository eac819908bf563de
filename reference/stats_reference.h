// Correlations, resampling and tests from their definitions: every pair, every order of the rows, every
// resample written out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace capella::reference {

using Numbers = std::vector<double>;

/// Pairs of rows, each looked at.
struct PairCounts {
  long long pairs = 0;
  long long concordant = 0;
  long long discordant = 0;
  long long x_ties = 0;
  long long y_ties = 0;
  long long both_ties = 0;
};
PairCounts count_pairs(const Numbers& x, const Numbers& y);

std::size_t distinct(const Numbers& values);

/// NaN where they are not defined.
double tau_b(const Numbers& x, const Numbers& y);
double tau_c(const Numbers& x, const Numbers& y);
double pearson(const Numbers& x, const Numbers& y);
double spearman(const Numbers& x, const Numbers& y);

/// One more than the number of smaller values, plus half the number of others that are equal.
Numbers average_ranks(const Numbers& values);

/// The share of all orders of y with at least as large a surplus of concordant or discordant pairs.
double permutation_p(const Numbers& x, Numbers y);

/// Each value as often as its weight says.
Numbers written_out(const Numbers& values, const std::vector<std::uint32_t>& weights);

/// Which units are drawn in each resample: default_rng(seed).choice(units, size=(resamples, units)).
std::vector<std::vector<std::size_t>> draws(std::size_t units, std::size_t resamples, std::uint64_t seed);

/// Which units change sides: default_rng(seed).integers(2, size=(trials, units), dtype=bool).
std::vector<std::vector<bool>> side_changes(std::size_t units, std::size_t trials, std::uint64_t seed);

/// The sum of the given rows of a matrix [unit][width].
Numbers sum_rows(const Numbers& rows, std::size_t width, const std::vector<std::size_t>& units);

/// The share of all 2^n ways to give the differences signs that make |mean| at least as large.
double sign_flip_p(const Numbers& differences);

/// p_i corrected: the largest, among those p_j that are not above it, of p_j times the number of p-values not
/// below p_j; at most 1.
Numbers holm(const Numbers& p_values);

}  // namespace capella::reference
