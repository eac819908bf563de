// Expected values are scipy 1.10's unless a line says otherwise.
#include "stats/correlation.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace capella::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Numbers = std::vector<double>;

// 0, step, 2 step, ... modulo a prime: an order without ties while count <= modulus.
Numbers mixed(std::size_t count, std::size_t step, std::size_t modulus) {
  Numbers values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i * step % modulus));
  return values;
}

Numbers rising(std::size_t count) {
  return mixed(count, 1, count);
}

Numbers scaled(Numbers values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

void expect_near(double found, double expected, const char* what) {
  EXPECT_NEAR(found, expected, 1e-12) << what;
}

void expect_relative(double found, double expected, const char* what) {
  EXPECT_NEAR(found, expected, 1e-10 * expected) << what;
}

TEST(Kendall, ExactPOfFewRowsWithoutTies) {
  const KendallResult ten = kendall(rising(10), mixed(10, 7, 11));
  expect_near(ten.tau_b, 0.06666666666666667, "tau-b");
  expect_near(ten.tau_c, 0.06666666666666667, "tau-c");
  expect_near(ten.p, 0.8618005952380953, "p");
  expect_near(ten.p_asymptotic, 0.788446734264471, "asymptotic p");
  expect_near(kendall(rising(33), mixed(33, 11, 37)).p, 0.865751029555975, "33 rows");
  expect_near(kendall(rising(34), mixed(34, 11, 37)).p, 0.6246954163900664, "34 rows: asymptotic");
}

TEST(Kendall, TinyExactP) {
  Numbers swapped = rising(33);
  std::swap(swapped[3], swapped[20]);
  const KendallResult result = kendall(rising(33), swapped);
  expect_relative(result.p, 4.752567867863048e-19, "33 rows");
  expect_relative(result.p_asymptotic, 8.161298764021921e-13, "asymptotic");
}

TEST(Kendall, NearlySortedRowsHaveAnExactPWhateverTheirNumber) {
  Numbers swapped = rising(40);
  expect_relative(kendall(rising(40), swapped).p, 2.451234878256772e-48, "sorted");
  std::swap(swapped[5], swapped[6]);
  expect_relative(kendall(rising(40), swapped).p, 9.804939513027087e-47, "one pair");
  expect_relative(kendall(rising(40), scaled(swapped, -1)).p, 9.804939513027087e-47, "all but one pair");
  EXPECT_EQ(kendall(rising(180), rising(180)).p, 0.0);
}

TEST(Kendall, BalancedPairsHaveP1) {
  const KendallResult result = kendall(Numbers{1, 2, 3, 4}, Numbers{2, 4, 1, 3});
  EXPECT_EQ(result.tau_b, 0.0);
  EXPECT_EQ(result.p, 1.0);
}

TEST(Kendall, ManyTies) {
  const KendallResult result = kendall(scaled(mixed(200, 37, 101), 0.1), mixed(200, 53, 17));
  expect_near(result.tau_b, -0.0011913829747303944, "tau-b");
  expect_near(result.tau_c, -0.0012218749999999999, "tau-c");
  expect_near(result.p, 0.980571154234452, "p");
}

TEST(Kendall, CountsAreExact) {
  const KendallCounts counts =
      kendall(Numbers{0, 0, 0, 0, 1, 1, 1, 2}, Numbers{1, 1, 2, 2, 2, 3, 4, 4}).counts;
  EXPECT_EQ(counts.rows, 8);
  EXPECT_EQ(counts.pairs, 28);
  EXPECT_EQ(counts.x_ties, 9);
  EXPECT_EQ(counts.y_ties, 5);
  EXPECT_EQ(counts.both_ties, 2);
  EXPECT_EQ(counts.discordant, 0);
  EXPECT_EQ(counts.x_classes, 3);
  EXPECT_EQ(counts.y_classes, 4);
  EXPECT_EQ(counts.surplus(), 16);
}

// n(n-1)/2 pairs of 100,000 rows do not fit 32 bits.
TEST(Kendall, ManyRows) {
  constexpr std::int64_t kRows = 100'000;
  const Numbers x = rising(kRows);
  const KendallResult result = kendall(x, scaled(x, -1));
  EXPECT_EQ(result.counts.discordant, kRows * (kRows - 1) / 2);
  EXPECT_EQ(result.tau_b, -1.0);
  EXPECT_EQ(result.tau_c, -1.0);
}

TEST(Kendall, ZerosOfBothSignsAreEqualAndInfinitiesAreLargest) {
  EXPECT_EQ(kendall(Numbers{0.0, -0.0, 1}, Numbers{1, 2, 3}).counts.x_ties, 1);
  EXPECT_EQ(kendall(Numbers{1, std::numeric_limits<double>::infinity(), 2}, Numbers{1, 3, 2}).tau_b, 1.0);
}

TEST(Pearson, ValueAndP) {
  Numbers y = mixed(1000, 157, 401);
  const Numbers x = scaled(mixed(1000, 313, 1009), 1.0 / 7);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.5 * x[i];
  const Coefficient result = pearson(x, y);
  expect_near(result.value, 0.17325315856626827, "r");
  expect_near(result.p, 3.51486241549748e-08, "p");
}

TEST(Pearson, TinyP) {
  Numbers y = scaled(mixed(100, 37, 101), 0.1);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += static_cast<double>(i);
  const Coefficient result = pearson(rising(100), y);
  expect_near(result.value, 0.994937859934242, "r");
  EXPECT_NEAR(result.p, 1.3070490021273376e-99, 1e-108);
}

TEST(Pearson, LargeOffsetsAndValues) {
  Numbers x = mixed(50, 7, 53);
  for (double& value : x) value += 1e6;
  const Coefficient offset = pearson(x, scaled(mixed(50, 11, 13), 1e-6));
  expect_near(offset.value, 0.04460568750416653, "r");
  expect_near(offset.p, 0.7583978655181423, "p");
  expect_near(pearson(Numbers{5e210, -5e210, 3e200, -3e200}, Numbers{1, -2, .5, 0}).value, 0.931380630856913,
              "squares beyond the largest number");
}

TEST(Pearson, TwoRows) {
  EXPECT_EQ(pearson(Numbers{1, 2}, Numbers{5, 3}).value, -1.0);
  EXPECT_EQ(pearson(Numbers{1, 2}, Numbers{5, 3}).p, 1.0);
}

TEST(Spearman, EqualsScipyToTheLastBit) {
  EXPECT_EQ(spearman(rising(10), mixed(10, 7, 11)).value, 0.16363636363636364);
  EXPECT_EQ(spearman(rising(180), rising(180)).value, 0.9999999999999999);
  EXPECT_EQ(spearman(scaled(mixed(200, 37, 101), 0.1), mixed(200, 53, 17)).value, 0.0005327023656853361);
  EXPECT_EQ(spearman(Numbers{1, 2, 3}, Numbers{1, 2, 3}).p, 0.0);
  expect_near(spearman(rising(10), mixed(10, 7, 11)).p, 0.6514773427962428, "p");
}

TEST(Spearman, TwoRowsHaveNoP) {
  const Coefficient result = spearman(Numbers{1, 2}, Numbers{5, 3});
  expect_near(result.value, -1, "rho");
  EXPECT_TRUE(std::isnan(result.p));
}

// By hand.
TEST(AverageRanks, TiesShareTheMean) {
  EXPECT_EQ(average_ranks(Numbers{30, 10, 20, 10, 10}), (Numbers{5, 2, 4, 2, 2}));
  EXPECT_EQ(average_ranks(Numbers{}), Numbers{});
  EXPECT_EQ(average_ranks(Numbers{7, 7}), (Numbers{1.5, 1.5}));
}

// NaN among many values once made the order of the others undefined.
TEST(AverageRanks, NanHasNoRankAndTakesNone) {
  const Numbers few = average_ranks(Numbers{kNan, 10, kNan, 5, 10});
  EXPECT_TRUE(std::isnan(few[0]) && std::isnan(few[2]));
  EXPECT_EQ((Numbers{few[1], few[3], few[4]}), (Numbers{2.5, 1, 2.5}));
  Numbers values = mixed(500, 37, 503);
  const Numbers expected = average_ranks(values);
  Numbers holed;
  for (const double value : values) holed.insert(holed.end(), {kNan, value});
  const Numbers ranks = average_ranks(holed);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(std::isnan(ranks[2 * i]));
    EXPECT_EQ(ranks[2 * i + 1], expected[i]);
  }
}

class Undefined : public ::testing::TestWithParam<std::pair<Numbers, Numbers>> {};

TEST_P(Undefined, EverythingIsNan) {
  const auto& [x, y] = GetParam();
  const KendallResult result = kendall(x, y);
  EXPECT_EQ(result.counts.rows, static_cast<std::int64_t>(x.size()));
  const Correlations resampled = ResampledCorrelation(x, y).of(std::vector<std::uint32_t>(x.size(), 1));
  for (const double value : {result.tau_b, result.tau_c, result.p, result.p_asymptotic, pearson(x, y).value,
                             pearson(x, y).p, spearman(x, y).value, spearman(x, y).p, resampled.kendall_b,
                             resampled.kendall_c, resampled.pearson, resampled.spearman}) {
    EXPECT_TRUE(std::isnan(value));
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, Undefined,
                         ::testing::Values(std::pair(Numbers{}, Numbers{}), std::pair(Numbers{1}, Numbers{2}),
                                           std::pair(Numbers{1, 2, 3}, Numbers{2, 2, 2}),
                                           std::pair(Numbers{1, 1}, Numbers{2, 3}),
                                           std::pair(Numbers{1, kNan, 3}, Numbers{2, 3, 4}),
                                           std::pair(Numbers{1, 2, 3}, Numbers{2, 3, kNan})));

TEST(ResampledCorrelation, RowsThatAreNotDrawnDoNotCount) {
  const ResampledCorrelation rows(Numbers{9, 1, 2, 3, 7}, Numbers{9, 3, 1, 2, 0});
  const Correlations drawn = rows.of(std::vector<std::uint32_t>{0, 1, 1, 1, 0});
  EXPECT_EQ(drawn.kendall_b, kendall(Numbers{1, 2, 3}, Numbers{3, 1, 2}).tau_b);
  EXPECT_EQ(drawn.kendall_c, kendall(Numbers{1, 2, 3}, Numbers{3, 1, 2}).tau_c);
  EXPECT_NEAR(drawn.pearson, -0.5, 1e-15);  // by hand
  EXPECT_NEAR(drawn.spearman, -0.5, 1e-15);
}

TEST(ResampledCorrelation, ASampleOfOneClassIsUndefined) {
  const ResampledCorrelation rows(Numbers{1, 1, 2}, Numbers{1, 2, 2});
  EXPECT_TRUE(std::isnan(rows.of(std::vector<std::uint32_t>{2, 1, 0}).kendall_b));
  EXPECT_TRUE(std::isnan(rows.of(std::vector<std::uint32_t>{0, 1, 2}).pearson));
  EXPECT_TRUE(std::isnan(rows.of(std::vector<std::uint32_t>{0, 0, 0}).spearman));
}

TEST(ResampledCorrelation, LargeValuesKeepTheirDigits) {
  const ResampledCorrelation rows(Numbers{5e210, -5e210, 3e200, -3e200}, Numbers{1, -2, .5, 0});
  EXPECT_NEAR(rows.of(std::vector<std::uint32_t>{1, 1, 1, 1}).pearson, 0.931380630856913, 1e-12);
  const ResampledCorrelation outlier(Numbers{1e9, 1, 2, 3}, Numbers{1, 3, 1, 2});
  EXPECT_NEAR(outlier.of(std::vector<std::uint32_t>{0, 1, 1, 1}).pearson, -0.5, 1e-7);
}

}  // namespace
}  // namespace capella::stats
