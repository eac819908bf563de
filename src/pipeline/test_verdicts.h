// What tests may claim: which p-values after Holm's correction are below the level, and when no claim can be
// made, whatever the p-values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "capella/interval.h"

#include "stats/paired_tests.h"

namespace capella::pipeline {

/// With fewer units than this the bootstrap is too liberal, and intervals mean little.
inline constexpr std::size_t kFewUnits = 20;

/// Fewer resamples than this have no 2.5th percentile.
inline constexpr std::size_t kLeastResamples = 40;

/// Throws UsageError if there are too few for an interval.
void check_resamples(std::size_t resamples);

/// With how many resamples so many tests can find a difference that survives Holm's correction, with some to
/// spare: the smallest p-value, 1 / (resamples + 1), is multiplied by the number of tests.
std::size_t enough_resamples(std::size_t tests);

/// Why such tests cannot find anything, and what to do; empty if they can.
std::string why_undecided(std::size_t tests, std::size_t resamples);

/// `unit` is what was drawn: "item", "image".
void warn_of_few_units(std::size_t units, std::string_view unit, std::vector<std::string>& warnings);

/// Gives every difference its corrected p-value and its verdict.
template <class Difference>
void judge(std::vector<Difference>& differences, bool undecided) {
  std::vector<double> p_values;
  for (const Difference& difference : differences) p_values.push_back(difference.p);
  const std::vector<double> corrected = stats::holm(p_values);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const double p = differences[i].p_corrected = corrected[i];
    const bool told = !undecided && p == p;  // NaN is not equal to itself
    differences[i].verdict = !told               ? Verdict::undecided
                             : p < kSignificance ? Verdict::real
                                                 : Verdict::not_real;
  }
}

}  // namespace capella::pipeline
