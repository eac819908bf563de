// Resampling with replacement: how far would a number move on other items of the same kind?
//
// Units (images, items) are drawn from Random(seed) in the order of the resamples, whatever the number of
// threads, so a seed always draws the same samples, and the same as numpy's default_rng(seed).choice(units).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "capella/interval.h"

#include "base/thread_pool.h"

namespace capella::stats {

struct Resampling {
  std::size_t resamples = 1000;
  std::uint64_t seed = 12345;
};

/// Calls visit(resample, counts) for each resample, from many threads; counts[u] says how often unit u was
/// drawn.
using VisitResample = std::function<void(std::size_t resample, std::span<const std::uint32_t> counts)>;
void for_each_resample(std::size_t units, const Resampling& resampling, ThreadPool& pool,
                       const VisitResample& visit);

/// Rows of numbers, `width` for each unit, one unit after the other.
struct RowsView {
  const double* data;
  std::size_t width;
};

/// The sums of rows over each resample: for each view a matrix [resample][width]. All views have one row per
/// unit, and all see the same draws.
std::vector<std::vector<double>> resampled_sums(std::span<const RowsView> views, std::size_t units,
                                                const Resampling& resampling, ThreadPool& pool);

/// The sums of rows when the units of two systems change sides by the toss of a coin. All pairs of systems
/// see the same coins, so each view is summed once, over the units that change: what one side loses, the
/// other gains. With few units (2^units <= resamples) every assignment comes once instead, the coins' pattern
/// counting up from 0 (nobody changes sides).
class SwappedSums {
 public:
  /// One row per unit in each view.
  SwappedSums(std::span<const RowsView> views, std::size_t units, const Resampling& resampling,
              ThreadPool& pool);

  bool exact() const { return exact_; }  ///< every assignment comes once
  std::size_t trials() const { return trials_; }

  /// The sums of both sides in one trial between two views of one width. Many threads may call it at once.
  void sides(std::size_t first, std::size_t second, std::size_t trial, std::span<double> first_sum,
             std::span<double> second_sum) const;

 private:
  struct View {
    std::vector<double> total;      // of all units
    std::vector<std::size_t> fine;  // columns whose sums have a second part
    std::vector<double> changed;    // [trial][column, then fine part]: of the units that change sides
  };

  bool exact_;
  std::size_t trials_;
  std::vector<View> views_;
};

/// Between the 2.5th and the 97.5th of 100 resampled values, by sacreBLEU's rule: with B sorted values those
/// at B/40 and B - B/40 - 1. NaN if any value is.
Interval percentile_interval(std::vector<double> replicates);

/// Efron's bias-corrected and accelerated interval (95 %). `jackknife`: the estimate with each unit left out.
/// NaN if anything is not finite, if all replicates lie on one side of the estimate, which leaves the bias
/// open, and if bias and skewness are so large that the correction has no bound.
Interval bca_interval(double estimate, std::vector<double> replicates, std::span<const double> jackknife);

/// All rows but one, for the jackknife: for each view the matrix [unit][width] of the sums without that unit.
std::vector<std::vector<double>> jackknife_sums(std::span<const RowsView> views, std::size_t units);

}  // namespace capella::stats
