#include "stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "base/random.h"
#include "stats/weighted_sums.h"

namespace capella::stats {
namespace {

/// Draws the weights of the next sample.
using Draw = std::function<void(std::span<std::uint32_t> weights)>;

/// Works on `samples` samples from the one numbered `first` on; their weights stand one after the other.
using Use = std::function<void(std::size_t first, std::size_t samples, const std::uint32_t* weights)>;

constexpr std::size_t kGroup = 4;  // samples that one thread works on at a time

// So many that threads seldom wait for each other, but not more than a moderate piece of memory holds.
std::size_t samples_of_block(std::size_t weights, std::size_t threads) {
  constexpr std::size_t kGroupsPerThread = 8;
  constexpr std::size_t kWeightsPerThread = 1 << 20;
  const std::size_t fitting = kWeightsPerThread * threads / std::max<std::size_t>(weights, 1) / kGroup;
  return kGroup * std::clamp<std::size_t>(fitting, 1, kGroupsPerThread * threads);
}

// Samples are drawn one after the other by whichever thread is free, a block ahead of those worked on: what
// is drawn depends on the number of threads as little as on their speed.
void for_each_group(std::size_t samples, std::size_t weights, const Draw& draw, ThreadPool& pool,
                    const Use& use) {
  const std::size_t block = samples_of_block(weights, pool.threads());
  std::vector<std::uint32_t> now(block * weights);
  std::vector<std::uint32_t> next(block * weights);
  const auto draw_block = [&](std::size_t first, std::vector<std::uint32_t>& out) {
    for (std::size_t i = 0; i < block && first + i < samples; ++i)
      draw(std::span(out).subspan(i * weights, weights));
  };
  draw_block(0, now);
  for (std::size_t first = 0; first < samples; first += block) {
    const std::size_t count = std::min(block, samples - first);
    const std::size_t groups = (count + kGroup - 1) / kGroup;
    pool.parallel_for(groups + 1, [&](std::size_t piece) {
      if (piece == 0) return draw_block(first + block, next);
      const std::size_t begin = (piece - 1) * kGroup;
      use(first + begin, std::min(kGroup, count - begin), now.data() + begin * weights);
    });
    now.swap(next);
  }
}

// How often each unit comes when as many are drawn as there are.
class UnitDraws {
 public:
  explicit UnitDraws(std::uint64_t seed) : random_(seed) {}

  void operator()(std::span<std::uint32_t> counts) {
    std::fill(counts.begin(), counts.end(), 0);
    const auto units = static_cast<std::uint32_t>(counts.size());
    for (std::uint32_t i = 0; i < units; ++i) ++counts[random_.below(units)];
  }

 private:
  Random random_;
};

// Which units change sides: by coins, which run on from trial to trial, or every pattern in turn.
class SideDraws {
 public:
  SideDraws(std::uint64_t seed, bool exact) : random_(seed), exact_(exact) {}

  void operator()(std::span<std::uint32_t> changes) {
    for (std::size_t unit = 0; unit < changes.size(); ++unit)
      changes[unit] = exact_ ? static_cast<std::uint32_t>(pattern_ >> unit & 1) : toss();
    ++pattern_;
  }

 private:
  std::uint8_t toss() {
    if (next_ == coins_.size()) {
      random_.coins(coins_);
      next_ = 0;
    }
    return coins_[next_++];
  }

  Random random_;
  bool exact_;
  std::uint64_t pattern_ = 0;
  std::array<std::uint8_t, 4096> coins_;  // a multiple of 32, so that no bit is left over
  std::size_t next_ = coins_.size();
};

using Matrices = std::vector<std::vector<double>>;

Matrices sums_of_samples(std::span<const RowsView> views, std::size_t units, std::size_t samples,
                         const Draw& draw, ThreadPool& pool) {
  const WeightedSums sums(views, units);
  Matrices matrices = sums.make_matrices(samples);
  for_each_group(samples, units, draw, pool,
                 [&](std::size_t first, std::size_t count, const std::uint32_t* weights) {
                   sums.fill(weights, first, count, matrices);
                 });
  return matrices;
}

// The sum of all rows.
std::vector<double> total(const RowsView& view, std::size_t units) {
  const WeightedSums sums({&view, 1}, units);
  Matrices matrix = sums.make_matrices(1);
  sums.fill(std::vector<std::uint32_t>(units, 1).data(), 0, 1, matrix);
  return std::move(matrix[0]);
}

// Rows whose columns are cut in two where that takes it to sum a choice of units without rounding: multiples
// of a power of 2 so large that no sum of them has more than 53 digits, and behind all columns the small
// rest. Then the difference of two systems' sums is as good as the sum of their differences. Whole numbers
// have no rest.
struct SplitRows {
  std::vector<std::size_t> fine;  // columns with a rest
  std::vector<double> rows;
  std::size_t width;
};

// 0 if there is no such power.
double coarse_step(const RowsView& view, std::size_t column, std::size_t units) {
  double largest = 0;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const double size = std::abs(view.data[unit * view.width + column]);
    if (!std::isfinite(size)) return 0;
    largest = std::max(largest, size);
  }
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest) + 1 + static_cast<int>(std::bit_width(units)) - 53;
  return exponent < -1000 ? 0 : std::ldexp(1.0, exponent);
}

double coarse_part(double value, double step) {
  return step == 0 ? value : std::rint(value / step) * step;
}

bool has_rest(const RowsView& view, std::size_t column, std::size_t units, double step) {
  for (std::size_t unit = 0; unit < units && step != 0; ++unit) {
    const double value = view.data[unit * view.width + column];
    if (coarse_part(value, step) != value) return true;
  }
  return false;
}

SplitRows split_rows(const RowsView& view, std::size_t units) {
  SplitRows split;
  std::vector<double> steps;
  for (std::size_t column = 0; column < view.width; ++column) {
    steps.push_back(coarse_step(view, column, units));
    if (has_rest(view, column, units, steps.back())) split.fine.push_back(column);
  }
  split.width = view.width + split.fine.size();
  split.rows.reserve(units * split.width);
  for (std::size_t unit = 0; unit < units; ++unit) {
    const double* const row = view.data + unit * view.width;
    for (std::size_t column = 0; column < view.width; ++column)
      split.rows.push_back(coarse_part(row[column], steps[column]));
    for (const std::size_t column : split.fine)
      split.rows.push_back(row[column] - coarse_part(row[column], steps[column]));
  }
  return split;
}

bool can_enumerate(std::size_t units, std::size_t resamples) {
  return units < std::numeric_limits<std::size_t>::digits && std::size_t{1} << units <= resamples;
}

}  // namespace

void for_each_resample(std::size_t units, const Resampling& resampling, ThreadPool& pool,
                       const VisitResample& visit) {
  for_each_group(resampling.resamples, units, UnitDraws(resampling.seed), pool,
                 [&](std::size_t first, std::size_t samples, const std::uint32_t* weights) {
                   for (std::size_t i = 0; i < samples; ++i) visit(first + i, {weights + i * units, units});
                 });
}

std::vector<std::vector<double>> resampled_sums(std::span<const RowsView> views, std::size_t units,
                                                const Resampling& resampling, ThreadPool& pool) {
  return sums_of_samples(views, units, resampling.resamples, UnitDraws(resampling.seed), pool);
}

SwappedSums::SwappedSums(std::span<const RowsView> views, std::size_t units, const Resampling& resampling,
                         ThreadPool& pool)
    : exact_(can_enumerate(units, resampling.resamples)),
      trials_(exact_ ? std::size_t{1} << units : resampling.resamples) {
  std::vector<SplitRows> splits;
  std::vector<RowsView> parts;
  for (const RowsView& view : views) splits.push_back(split_rows(view, units));
  for (const SplitRows& split : splits) parts.push_back({split.rows.data(), split.width});
  Matrices changed = sums_of_samples(parts, units, trials_, SideDraws(resampling.seed, exact_), pool);
  for (std::size_t k = 0; k < views.size(); ++k)
    views_.push_back({total(views[k], units), std::move(splits[k].fine), std::move(changed[k])});
}

void SwappedSums::sides(std::size_t first, std::size_t second, std::size_t trial, std::span<double> first_sum,
                        std::span<double> second_sum) const {
  const View& one = views_[first];
  const View& other = views_[second];
  const std::size_t width = one.total.size();
  assert(other.total.size() == width && first_sum.size() == width && second_sum.size() == width);
  const double* const lost = one.changed.data() + trial * (width + one.fine.size());
  const double* const won = other.changed.data() + trial * (width + other.fine.size());
  for (std::size_t i = 0; i < width; ++i) first_sum[i] = won[i] - lost[i];
  for (std::size_t i = 0; i < other.fine.size(); ++i) first_sum[other.fine[i]] += won[width + i];
  for (std::size_t i = 0; i < one.fine.size(); ++i) first_sum[one.fine[i]] -= lost[width + i];
  for (std::size_t i = 0; i < width; ++i) {
    second_sum[i] = other.total[i] - first_sum[i];
    first_sum[i] += one.total[i];
  }
}

// What comes after a unit is added up from the end, what comes before from the start: nothing cancels.
std::vector<std::vector<double>> jackknife_sums(std::span<const RowsView> views, std::size_t units) {
  std::vector<std::vector<double>> all;
  for (const RowsView& view : views) {
    const std::size_t width = view.width;
    std::vector<double>& sums = all.emplace_back(units * width);
    for (std::size_t at = units * width; at-- > width;) sums[at - width] = sums[at] + view.data[at];
    std::vector<double> before(width);
    for (std::size_t at = 0; at < units * width; ++at) {
      sums[at] += before[at % width];
      before[at % width] += view.data[at];
    }
  }
  return all;
}

}  // namespace capella::stats
