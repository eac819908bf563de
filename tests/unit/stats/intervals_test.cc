// Expected intervals are those of scipy 1.10's stats.bootstrap, which draws the same resamples from a seed.
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "stats/bootstrap.h"
#include "stats/correlation.h"

namespace capella::stats {
namespace {

constexpr double kIntervalsNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kUnits = 30;

using Numbers = std::vector<double>;

Numbers curved() {
  Numbers values;
  for (std::size_t i = 0; i < kUnits; ++i) values.push_back(std::pow(i * 17 % 31, 1.5) / 10);
  return values;
}

Numbers straight() {
  Numbers values;
  for (std::size_t i = 0; i < kUnits; ++i) values.push_back(1 + static_cast<double>(i * 11 % 29) / 20);
  return values;
}

Numbers resampled(const Numbers& values, const Resampling& resampling) {
  ThreadPool pool(1);
  const RowsView view = {values.data(), 1};
  return resampled_sums({&view, 1}, values.size(), resampling, pool).at(0);
}

Numbers jackknife(const Numbers& values) {
  const RowsView view = {values.data(), 1};
  return jackknife_sums({&view, 1}, values.size()).at(0);
}

Numbers divided(Numbers values, double by) {
  for (double& value : values) value /= by;
  return values;
}

Numbers divided(Numbers values, const Numbers& by) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= by[i];
  return values;
}

void expect_interval(const Interval& found, double low, double high) {
  EXPECT_NEAR(found.low, low, 1e-11);
  EXPECT_NEAR(found.high, high, 1e-11);
}

// numpy: np.sort(means)[[25, 974]]
TEST(PercentileInterval, TakesSacrebleusPlaces) {
  expect_interval(percentile_interval(divided(resampled(curved(), {1000, 12345}), kUnits)), 4.838517621213737,
                  8.436669626406633);
}

TEST(PercentileInterval, SmallNumbersOfReplicates) {
  EXPECT_TRUE(std::isnan(percentile_interval({}).low));
  expect_interval(percentile_interval({7}), 7, 7);
  expect_interval(percentile_interval({3, 1, 2}), 1, 3);
  Numbers forty(40);
  std::iota(forty.rbegin(), forty.rend(), 0.0);
  expect_interval(percentile_interval(forty), 1, 38);
}

TEST(PercentileInterval, NanMakesNan) {
  EXPECT_TRUE(std::isnan(percentile_interval({1, kIntervalsNan, 2}).low));
  EXPECT_TRUE(std::isnan(percentile_interval({1, kIntervalsNan, 2}).high));
}

TEST(BcaInterval, OfAMean) {
  const Numbers values = curved();
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / kUnits;
  expect_interval(bca_interval(mean, divided(resampled(values, {1000, 12345}), kUnits),
                               divided(jackknife(values), kUnits - 1)),
                  4.990777814386401, 8.569083368965751);
}

TEST(BcaInterval, OfARatio) {
  const Numbers top = curved();
  const Numbers bottom = straight();
  const Resampling resampling = {2000, 7};
  const double ratio =
      std::accumulate(top.begin(), top.end(), 0.0) / std::accumulate(bottom.begin(), bottom.end(), 0.0);
  EXPECT_NEAR(ratio, 3.980587591240368, 1e-14);
  expect_interval(bca_interval(ratio, divided(resampled(top, resampling), resampled(bottom, resampling)),
                               divided(jackknife(top), jackknife(bottom))),
                  2.902306316131066, 5.2459871189183795);
}

TEST(BcaInterval, OfACorrelation) {
  Numbers x = curved();
  const Numbers y = straight();
  for (std::size_t i = 0; i < kUnits; ++i) x[i] += 3 * y[i];
  const ResampledCorrelation rows(x, y);
  Numbers replicates(999);
  ThreadPool pool(2);
  for_each_resample(kUnits, {999, 3}, pool, [&](std::size_t resample, std::span<const std::uint32_t> counts) {
    replicates[resample] = rows.of(counts).pearson;
  });
  Numbers left_out;
  for (std::size_t i = 0; i < kUnits; ++i) {
    std::vector<std::uint32_t> weights(kUnits, 1);
    weights[i] = 0;
    left_out.push_back(rows.of(weights).pearson);
  }
  const double estimate = pearson(x, y).value;
  EXPECT_NEAR(estimate, 0.25107249917318014, 1e-14);
  expect_interval(bca_interval(estimate, replicates, left_out), -0.1290172022673786, 0.5353459794570733);
}

// The third power of influences like these is below the smallest number, or above the largest.
TEST(BcaInterval, IsTheSameInAnyUnit) {
  const Numbers values = curved();
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / kUnits;
  const Numbers replicates = divided(resampled(values, {1000, 12345}), kUnits);
  const Numbers left_out = divided(jackknife(values), kUnits - 1);
  const Interval plain = bca_interval(mean, replicates, left_out);
  for (const int power : {400, -400}) {
    const double unit = std::ldexp(1.0, power);
    const Interval scaled = bca_interval(mean / unit, divided(replicates, unit), divided(left_out, unit));
    EXPECT_EQ(scaled.low * unit, plain.low) << power;
    EXPECT_EQ(scaled.high * unit, plain.high) << power;
  }
}

// Skewness near its largest and a bias of four deviations: the correction passes through infinity.
TEST(BcaInterval, ACorrectionBeyondAllBoundsIsUndefined) {
  Numbers replicates(100'000, 0.0);
  replicates.back() = 2;
  Numbers left_out(2000, 1.0);
  left_out[0] = 0;
  const Interval found = bca_interval(1, replicates, left_out);
  EXPECT_TRUE(std::isnan(found.low));
  EXPECT_TRUE(std::isnan(found.high));
}

TEST(BcaInterval, AConstantHasNoWidth) {
  expect_interval(bca_interval(0.3, Numbers(100, 0.3), Numbers(20, 0.3)), 0.3, 0.3);
  // Sums of equal rows differ in their last digits.
  const Numbers values(50, 0.1);
  const Interval found =
      bca_interval(0.1, divided(resampled(values, {200, 1}), 50), divided(jackknife(values), 49));
  expect_interval(found, 0.1, 0.1);
}

TEST(BcaInterval, Undefined) {
  EXPECT_TRUE(std::isnan(bca_interval(9, {1, 2, 3}, Numbers{1, 2}).low));  // above all replicates
  EXPECT_TRUE(std::isnan(bca_interval(0, {1, 2, 3}, Numbers{1, 2}).low));  // below
  EXPECT_TRUE(std::isnan(bca_interval(kIntervalsNan, {1, 2, 3}, Numbers{1, 2}).low));
  EXPECT_TRUE(std::isnan(bca_interval(2, {1, kIntervalsNan, 3}, Numbers{1, 2}).high));
  EXPECT_TRUE(std::isnan(bca_interval(2, {1, 2, 3}, Numbers{1, kIntervalsNan}).high));
  EXPECT_TRUE(std::isnan(bca_interval(2, {}, Numbers{1, 2}).high));
}

}  // namespace
}  // namespace capella::stats
