// Which system is better, and is the difference more than chance?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capella/dataset.h"
#include "capella/pipeline.h"
#include "capella/result.h"

namespace capella {

struct CompareOptions {
  std::string test = "bootstrap";  ///< bootstrap, or randomization: captions change sides by a coin's toss
  std::string baseline;            ///< compare every other system with this one; empty: all pairs
  /// Nothing: 10,000, or more (up to 100,000) where many tests need them.
  std::optional<std::size_t> resamples;
  std::uint64_t seed = 12345;
};

/// One score of two systems.
struct Difference {
  std::size_t first;   ///< a place in Comparison::result.systems
  std::size_t second;  ///< likewise
  std::size_t column;  ///< a place in Comparison::result.columns
  double value;        ///< the first system's score less the second's
  Interval interval;   ///< 95 %, by bootstrap
  double p;            ///< two-sided
  double p_corrected;  ///< after Holm, over all differences of the comparison
  double p_sacrebleu;  ///< as sacreBLEU computes it from the same resamples; NaN for randomization
  double effect;       ///< Cohen's d over the captions' scores

  Verdict verdict = Verdict::undecided;
};

struct Comparison {
  Result result;                        ///< the systems' scores with intervals
  std::string test;                     ///< as in CompareOptions
  bool exact = false;                   ///< every assignment was tried instead of drawing some
  std::size_t trials = 0;               ///< resamples, or assignments that were tried
  std::string undecided;                ///< why no difference is called real; empty if tests can tell
  std::vector<Difference> differences;  ///< pair by pair, column by column; only columns shown in tables
};

/// Throws UsageError if there are fewer than two systems, or for an unknown test or baseline.
Comparison compare(const Dataset& dataset, const ScoreOptions& score, const CompareOptions& options);

/// Throws UsageError for an unknown test, whatever the data.
void check_options(const CompareOptions& options);

}  // namespace capella
