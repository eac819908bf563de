// Systems by the verdicts on their captions: means, spread, intervals, and how two of them differ on the same
// images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "capella/mln.h"

#include "base/thread_pool.h"
#include "stats/bootstrap.h"

namespace capella::method::mln {

/// A mean and its 95 % interval over the images that have a value. NaN without any.
struct MeanWithInterval {
  double mean;
  Interval interval;
};
MeanWithInterval mean_with_interval(std::span<const double> values, const stats::Resampling& resampling,
                                    ThreadPool& pool);

/// All captions of one system. What breaks hard rules counts as every caption does, claim by claim; only the
/// mean of the joint leaves it out.
JudgedSystem summarise(std::span<const JudgedCaption> captions, const stats::Resampling& resampling,
                       ThreadPool& pool);

/// `unseen`: by log_prob_unseen.
JudgedPair compare(std::span<const JudgedCaption> first, std::span<const JudgedCaption> second, bool unseen,
                   const stats::Resampling& resampling, ThreadPool& pool);

/// Whether a caption's verdict counts.
bool is_scored(const JudgedCaption& caption);
/// ... with claims about undetected things, where these are counted.
bool is_scored_with_unseen(const JudgedCaption& caption);
/// What it says together breaks hard rules.
bool is_impossible(const JudgedCaption& caption);

}  // namespace capella::method::mln
