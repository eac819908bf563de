// Do intervals cover and do tests keep their level? Simulated data with a known truth and fixed seeds. A
// share over kRuns runs may stray from its expectation by three binomial deviations.
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/paired_tests.h"
#include "support/swap_sides.h"

namespace capella::stats {
namespace {

using Numbers = std::vector<double>;

constexpr std::size_t kRuns = 800;

void expect_share(std::size_t cases, double expected, const char* what) {
  const double tolerance = 3 * std::sqrt(expected * (1 - expected) / kRuns);
  EXPECT_NEAR(static_cast<double>(cases) / kRuns, expected, tolerance) << what;
}

double exponential(Random& random) {
  return -std::log(1 - random.uniform());
}

// Rows of two numbers; the estimate is made from their sums.
struct Experiment {
  std::size_t units;
  std::function<void(Random&, double* row)> draw_row;
  std::function<double(double first, double second)> estimate;
  double truth;
};

struct Covered {
  std::size_t percentile = 0;
  std::size_t bca = 0;
};

Numbers estimates(const Experiment& experiment, const Numbers& sums) {
  Numbers values;
  for (std::size_t i = 0; i < sums.size(); i += 2)
    values.push_back(experiment.estimate(sums[i], sums[i + 1]));
  return values;
}

bool holds(const Interval& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

Covered count_covered(const Experiment& experiment) {
  ThreadPool pool(1);
  Random random(2024);
  Covered covered;
  for (std::size_t run = 0; run < kRuns; ++run) {
    Numbers rows(2 * experiment.units);
    for (std::size_t i = 0; i < experiment.units; ++i) experiment.draw_row(random, &rows[2 * i]);
    const RowsView view = {rows.data(), 2};
    const Numbers replicates =
        estimates(experiment, resampled_sums({&view, 1}, experiment.units, {400, run}, pool).at(0));
    Numbers left_out = jackknife_sums({&view, 1}, experiment.units).at(0);
    Numbers total = {left_out[0] + rows[0], left_out[1] + rows[1]};
    covered.percentile += holds(percentile_interval(replicates), experiment.truth);
    covered.bca +=
        holds(bca_interval(estimates(experiment, total)[0], replicates, estimates(experiment, left_out)),
              experiment.truth);
  }
  return covered;
}

// Rows (value, 1): the estimate is the mean.
double mean_of(double sum, double count) {
  return sum / count;
}

// The interval is as wide as 1.96 deviations (n in the divisor) where 1.97 (n - 1) would be right: of 200
// values it covers in 94.8 %.
TEST(Coverage, NormalMean) {
  const auto draw = [](Random& random, double* row) {
    row[0] = 3 + random.normal();
    row[1] = 1;
  };
  const Covered covered = count_covered({200, draw, mean_of, 3});
  expect_share(covered.percentile, 0.948, "percentile");
  expect_share(covered.bca, 0.948, "BCa");
}

// Skewness costs percentile intervals about one in a hundred at this size.
TEST(Coverage, ExponentialMean) {
  const auto draw = [](Random& random, double* row) {
    row[0] = exponential(random);
    row[1] = 1;
  };
  const Covered covered = count_covered({200, draw, mean_of, 1});
  expect_share(covered.percentile, 0.94, "percentile");
  expect_share(covered.bca, 0.945, "BCa");
}

TEST(Coverage, Ratio) {
  const auto draw = [](Random& random, double* row) {
    row[1] = 1 + random.uniform();
    row[0] = 2 * row[1] + random.normal();
  };
  const Covered covered = count_covered({200, draw, mean_of, 2});
  expect_share(covered.percentile, 0.948, "percentile");
  expect_share(covered.bca, 0.948, "BCa");
}

// x and y share half of their variance: Pearson's r is 0.5.
TEST(Coverage, Correlation) {
  constexpr std::size_t kUnits = 120;
  ThreadPool pool(1);
  Random random(77);
  std::size_t covered = 0;
  for (std::size_t run = 0; run < kRuns; ++run) {
    Numbers x(kUnits);
    Numbers y(kUnits);
    for (std::size_t i = 0; i < kUnits; ++i) {
      const double shared = random.normal();
      x[i] = shared + random.normal();
      y[i] = shared + random.normal();
    }
    const ResampledCorrelation rows(x, y);
    Numbers replicates(300);
    for_each_resample(kUnits, {replicates.size(), run}, pool,
                      [&](std::size_t resample, std::span<const std::uint32_t> counts) {
                        replicates[resample] = rows.of(counts).pearson;
                      });
    covered += holds(percentile_interval(replicates), 0.5);
  }
  expect_share(covered, 0.94, "percentile");
}

// Two systems on the same units; the second is better by `gain` deviations of the differences.
struct Rejections {
  std::size_t bootstrap = 0;
  std::size_t randomization = 0;
};

Numbers differences(const Numbers& first, const Numbers& second) {
  Numbers out(first.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = first[i] - second[i];
  return out;
}

Rejections count_rejections(double gain) {
  constexpr std::size_t kUnits = 80;
  constexpr double kLevel = 0.05;
  ThreadPool pool(1);
  Random random(5);
  Rejections rejections;
  for (std::size_t run = 0; run < kRuns; ++run) {
    Numbers first(kUnits);
    Numbers second(kUnits);
    for (std::size_t i = 0; i < kUnits; ++i) {
      const double difficulty = 3 * random.normal();
      first[i] = difficulty + random.normal();
      second[i] = difficulty + random.normal() + gain * std::sqrt(2.0);
    }
    const std::vector<RowsView> views = {{first.data(), 1}, {second.data(), 1}};
    const Resampling resampling = {399, run};
    const auto resampled = resampled_sums(views, kUnits, resampling, pool);
    const test::Sides swapped = test::swap_sides(views[0], views[1], kUnits, resampling, pool);
    const double observed =
        std::accumulate(first.begin(), first.end(), 0.0) - std::accumulate(second.begin(), second.end(), 0.0);
    rejections.bootstrap += paired_bootstrap_p(observed, differences(resampled[0], resampled[1])) <= kLevel;
    rejections.randomization +=
        randomization_p(observed, differences(swapped.first, swapped.second), false) <= kLevel;
  }
  return rejections;
}

TEST(PairedTestLevel, EqualSystemsAreRejectedInFivePercent) {
  const Rejections rejections = count_rejections(0);
  expect_share(rejections.bootstrap, 0.055, "bootstrap");  // normal tails where t's would be right
  expect_share(rejections.randomization, 0.05, "randomization");
}

// A t test of 80 differences has a power of 0.993 at half a deviation.
TEST(PairedTestLevel, ABetterSystemIsFound) {
  const Rejections rejections = count_rejections(0.5);
  expect_share(rejections.bootstrap, 0.993, "bootstrap");
  expect_share(rejections.randomization, 0.993, "randomization");
}

}  // namespace
}  // namespace capella::stats
