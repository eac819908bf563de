// Expected draws and sums are numpy's, with default_rng(seed).
#include "stats/bootstrap.h"

#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/swap_sides.h"

namespace capella::stats {
namespace {

using Numbers = std::vector<double>;
using test::Sides;

Numbers curved(std::size_t count) {
  Numbers values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(std::pow(i * 17 % 31, 1.5) / 10);
  return values;
}

Numbers straight(std::size_t count) {
  Numbers values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(1 + static_cast<double>(i * 11 % 29) / 20);
  return values;
}

Numbers random_rows(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  Numbers rows(size);
  for (double& value : rows) value = random.normal();
  return rows;
}

Sides swap_sides(const Numbers& first, const Numbers& second, std::size_t width, std::size_t units,
                 const Resampling& resampling, ThreadPool& pool) {
  return test::swap_sides({first.data(), width}, {second.data(), width}, units, resampling, pool);
}

TEST(ForEachResample, CountsWhatNumpyDraws) {
  ThreadPool pool(2);
  std::vector<std::vector<std::uint32_t>> seen(3);
  for_each_resample(5, {3, 12345}, pool, [&](std::size_t resample, std::span<const std::uint32_t> counts) {
    seen[resample].assign(counts.begin(), counts.end());
  });
  // default_rng(12345).choice(5, size=(3, 5)) = [[3, 1, 3, 1, 1], [3, 3, 3, 4, 1], [4, 1, 2, 2, 1]]
  EXPECT_EQ(seen,
            (std::vector<std::vector<std::uint32_t>>{{0, 3, 0, 2, 0}, {0, 1, 0, 3, 1}, {0, 2, 2, 0, 1}}));
}

TEST(ForEachResample, VisitsEveryResampleOnce) {
  ThreadPool pool(3);
  for (const std::size_t units : {std::size_t{0}, std::size_t{1}, std::size_t{50}}) {
    std::mutex mutex;
    std::vector<int> visits(997);
    for_each_resample(units, {997, 1}, pool,
                      [&](std::size_t resample, std::span<const std::uint32_t> counts) {
                        const std::lock_guard lock(mutex);
                        ++visits[resample];
                        EXPECT_EQ(counts.size(), units);
                        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), units);
                      });
    EXPECT_EQ(visits, std::vector<int>(997, 1));
  }
}

TEST(ResampledSums, AreNumpys) {
  ThreadPool pool(1);
  const Numbers rows = curved(30);
  const RowsView view = {rows.data(), 1};
  const Numbers sums = resampled_sums({&view, 1}, 30, {1000, 12345}, pool).at(0);
  ASSERT_EQ(sums.size(), 1000u);
  EXPECT_NEAR(sums[0], 255.00675997, 1e-8);
  EXPECT_NEAR(sums[1], 170.86879684, 1e-8);
  EXPECT_NEAR(sums[2], 263.98338094, 1e-8);
  EXPECT_NEAR(sums[999], 194.9442510068401, 1e-11);
}

TEST(ResampledSums, AllViewsSeeTheSameDraws) {
  ThreadPool pool(2);
  const Numbers one = random_rows(300, 1);
  Numbers wide;
  for (const double value : one) wide.insert(wide.end(), {value, 2 * value, -value, 0, value});
  const std::vector<RowsView> views = {{one.data(), 1}, {wide.data(), 5}};
  const auto sums = resampled_sums(views, 300, {50, 9}, pool);
  for (std::size_t i = 0; i < 50; ++i) {
    const double sum = sums[0][i];
    EXPECT_EQ(Numbers(sums[1].begin() + i * 5, sums[1].begin() + i * 5 + 5),
              (Numbers{sum, 2 * sum, -sum, 0, sum}));
  }
}

TEST(ResampledSums, NothingToSum) {
  ThreadPool pool(1);
  EXPECT_TRUE(resampled_sums({}, 10, {5, 1}, pool).empty());
  const RowsView none = {nullptr, 2};
  EXPECT_EQ(resampled_sums({&none, 1}, 0, {3, 1}, pool).at(0), Numbers(6, 0.0));
  const Numbers row = {4, 5};
  const RowsView one = {row.data(), 2};
  EXPECT_EQ(resampled_sums({&one, 1}, 1, {2, 1}, pool).at(0), (Numbers{4, 5, 4, 5}));
  EXPECT_TRUE(resampled_sums({&one, 1}, 1, {0, 1}, pool).at(0).empty());
}

// default_rng(12345).integers(2, size=(5, 30), dtype=bool): 30 is no multiple of 32, so coins run on.
TEST(SwappedSums, CoinsRunOnFromTrialToTrial) {
  ThreadPool pool(2);
  const Numbers first = curved(30);
  const Numbers second = straight(30);
  const Sides sums = swap_sides(first, second, 1, 30, {5, 12345}, pool);
  EXPECT_FALSE(sums.exact);
  ASSERT_EQ(sums.trials, 5u);
  const Numbers expected = {97.73367395253203, 127.3122144816919, 125.10699256731121, 153.39720015686584,
                            147.97060291165062};
  const double both =
      std::accumulate(first.begin(), first.end(), 0.0) + std::accumulate(second.begin(), second.end(), 0.0);
  for (std::size_t trial = 0; trial < 5; ++trial) {
    EXPECT_NEAR(sums.first[trial], expected[trial], 1e-11);
    EXPECT_NEAR(sums.second[trial], both - expected[trial], 1e-11);
  }
}

TEST(SwappedSums, FewUnitsTakeEveryAssignmentOnce) {
  ThreadPool pool(2);
  const Numbers first = {1, 10, 100};
  const Numbers second = {2, 20, 200};
  const Sides sums = swap_sides(first, second, 1, 3, {8, 1}, pool);
  EXPECT_TRUE(sums.exact);
  EXPECT_EQ(sums.trials, 8u);
  EXPECT_EQ(sums.first, (Numbers{111, 112, 121, 122, 211, 212, 221, 222}));
  EXPECT_EQ(sums.second, (Numbers{222, 221, 212, 211, 122, 121, 112, 111}));
  EXPECT_FALSE(swap_sides(first, second, 1, 3, {7, 1}, pool).exact);
}

TEST(SwappedSums, EqualSystemsStayEqual) {
  ThreadPool pool(1);
  const Numbers rows = random_rows(600, 4);
  const Sides sums = swap_sides(rows, rows, 3, 200, {20, 1}, pool);
  EXPECT_EQ(sums.first, sums.second);
  EXPECT_EQ(sums.first, swap_sides(rows, rows, 3, 200, {20, 7}, pool).first);
}

// Of 40,000 units one differs, and by little: the sides' difference is the same, up to its sign, in every
// trial but for what a sum of its size is rounded by.
TEST(SwappedSums, SumsOfLikeSystemsDifferByTheirDifference) {
  constexpr std::size_t kUnits = 40'000;
  Numbers first = random_rows(kUnits, 4);
  for (double& value : first) value = std::abs(value);
  Numbers second = first;
  second[777] += 1e-6;
  ThreadPool pool(2);
  const Sides sums = swap_sides(first, second, 1, kUnits, {40, 1}, pool);
  const double ulp = std::ldexp(1.0, std::ilogb(sums.first[0]) - 52);
  for (std::size_t trial = 0; trial < 40; ++trial)
    EXPECT_NEAR(std::abs(sums.first[trial] - sums.second[trial]), 1e-6, 3 * ulp);
}

TEST(SwappedSums, HugeTinyAndUndefinedRows) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Numbers first = {1e300, 1e-310, kNan, 1, 2e300, 2e-310, 1, 2};
  const Numbers second = {3e300, 3e-310, 1, INFINITY, 4e300, 4e-310, 1, 2};
  ThreadPool pool(1);
  const Sides sums = swap_sides(first, second, 4, 2, {4, 1}, pool);  // the last trial changes all sides
  ASSERT_EQ(sums.trials, 4u);
  EXPECT_DOUBLE_EQ(sums.first[12], 7e300);
  EXPECT_DOUBLE_EQ(sums.second[12], 3e300);
  EXPECT_DOUBLE_EQ(sums.first[13], 7e-310);
  EXPECT_TRUE(std::isnan(sums.first[14]) && std::isnan(sums.second[14]));
  EXPECT_FALSE(std::isfinite(sums.first[15]));
}

TEST(SwappedSums, NoUnits) {
  ThreadPool pool(1);
  const Sides sums = swap_sides({}, {}, 2, 0, {10, 1}, pool);
  EXPECT_TRUE(sums.exact);
  EXPECT_EQ(sums.first, (Numbers{0, 0}));
}

TEST(JackknifeSums, LeaveOneUnitOut) {
  const Numbers rows = {1, 10, 2, 20, 3, 30};
  const RowsView view = {rows.data(), 2};
  EXPECT_EQ(jackknife_sums({&view, 1}, 3).at(0), (Numbers{5, 50, 4, 40, 3, 30}));
  EXPECT_EQ(jackknife_sums({&view, 1}, 1).at(0), (Numbers{0, 0}));
  EXPECT_TRUE(jackknife_sums({&view, 1}, 0).at(0).empty());
}

TEST(JackknifeSums, ALargeRowDoesNotDrownTheOthers) {
  const Numbers rows = {1, 1e20, 2};
  const RowsView view = {rows.data(), 1};
  EXPECT_EQ(jackknife_sums({&view, 1}, 3).at(0)[1], 3.0);
}

class OnThreads : public ::testing::TestWithParam<std::size_t> {};

TEST_P(OnThreads, SameBits) {
  constexpr std::size_t kUnits = 700;
  const Numbers first = random_rows(kUnits * 7, 1);
  const Numbers second = random_rows(kUnits * 7, 2);
  const std::vector<RowsView> views = {{first.data(), 7}, {second.data(), 7}};
  ThreadPool alone(1);
  ThreadPool pool(GetParam());
  const Resampling resampling = {501, 3};
  EXPECT_EQ(resampled_sums(views, kUnits, resampling, pool),
            resampled_sums(views, kUnits, resampling, alone));
  const Sides found = swap_sides(first, second, 7, kUnits, resampling, pool);
  const Sides expected = swap_sides(first, second, 7, kUnits, resampling, alone);
  EXPECT_EQ(found.first, expected.first);
  EXPECT_EQ(found.second, expected.second);
}

INSTANTIATE_TEST_SUITE_P(Threads, OnThreads, ::testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace capella::stats
