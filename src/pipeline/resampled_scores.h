// The scores that systems would have got on resamples of the items, from the same rows as their scores.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "capella/result.h"

#include "aggregate/row_block.h"
#include "base/thread_pool.h"
#include "pipeline/finisher.h"
#include "stats/bootstrap.h"

namespace capella::pipeline {

/// Values of every column, sample by sample.
struct SampledScores {
  std::size_t columns = 0;
  std::size_t samples = 0;
  std::vector<double> values;  ///< [sample * columns + column]

  std::vector<double> column(std::size_t column) const;
};

/// One per system; all systems see the same resamples.
std::vector<SampledScores> resample_scores(const aggregate::RowBlock& block, const Finisher& finisher,
                                           const stats::Resampling& resampling, ThreadPool& pool);

/// One per system: the scores with each item left out.
std::vector<SampledScores> jackknife_scores(const aggregate::RowBlock& block, const Finisher& finisher,
                                            ThreadPool& pool);

/// For pairs of systems the scores of both sides when captions change sides by the toss of a coin.
struct SwappedScores {
  bool exact = false;  ///< every way to change sides was tried
  std::vector<SampledScores> first;
  std::vector<SampledScores> second;
};
struct SystemPair {
  std::size_t first;
  std::size_t second;
};
SwappedScores swap_scores(const aggregate::RowBlock& block, const Finisher& finisher,
                          std::span<const SystemPair> pairs, const stats::Resampling& resampling,
                          ThreadPool& pool);

/// Gives every system of the result its intervals, from scores resampled as `options` say.
void add_intervals(Result& result, const aggregate::RowBlock& block, const Finisher& finisher,
                   std::span<const SampledScores> resampled, const IntervalOptions& options,
                   ThreadPool& pool);

}  // namespace capella::pipeline
