#include "stats/agreement.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace capella::stats {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A row per judge; kNone where a judge did not rate the unit.
std::vector<JudgedUnit> rated(const std::vector<std::vector<double>>& judges) {
  std::vector<JudgedUnit> ratings;
  for (std::uint32_t judge = 0; judge < judges.size(); ++judge) {
    for (std::uint32_t unit = 0; unit < judges[judge].size(); ++unit) {
      if (!std::isnan(judges[judge][unit])) ratings.push_back({judge, unit, judges[judge][unit]});
    }
  }
  return ratings;
}

// Krippendorff 2011, section C: four observers, twelve units, values missing.
const std::vector<std::vector<double>> kFourObservers{
    {1, 2, 3, 3, 2, 1, 4, 1, 2, kNone, kNone, kNone},
    {1, 2, 3, 3, 2, 2, 4, 1, 2, 5, kNone, 3},
    {kNone, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, kNone},
    {1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, kNone},
};

TEST(Agreement, KrippendorffsExample) {
  const auto ratings = rated(kFourObservers);
  EXPECT_NEAR(krippendorff_alpha(ratings, RatingLevel::ordinal), 0.815, 0.0005);
  EXPECT_NEAR(krippendorff_alpha(ratings, RatingLevel::interval), 0.849, 0.0005);
}

// Krippendorff 2011, section A: two observers, ten units of 0 and 1, four of them different.
TEST(Agreement, KrippendorffsBinaryExample) {
  const auto ratings = rated({{0, 1, 0, 0, 0, 0, 0, 0, 1, 0}, {1, 1, 1, 0, 0, 1, 0, 0, 0, 0}});
  for (const RatingLevel level : {RatingLevel::ordinal, RatingLevel::interval}) {
    EXPECT_NEAR(krippendorff_alpha(ratings, level), 0.095, 0.0005);
  }
}

TEST(Agreement, FullAgreementIsOne) {
  const auto ratings = rated({{1, 2, 5}, {1, 2, 5}});
  EXPECT_DOUBLE_EQ(krippendorff_alpha(ratings, RatingLevel::interval), 1);
  EXPECT_DOUBLE_EQ(krippendorff_alpha(ratings, RatingLevel::ordinal), 1);
}

// One unit rated 1 and 3, one rated 2 and 2: observed 8, expected 2 * 4 * 2 = 16, times n - 1 = 3.
TEST(Agreement, WorseThanChanceIsNegative) {
  EXPECT_DOUBLE_EQ(krippendorff_alpha(rated({{1, 2}, {3, 2}}), RatingLevel::interval), 1 - 3 * 8.0 / 16);
}

TEST(Agreement, UndefinedIsNotANumber) {
  EXPECT_TRUE(std::isnan(krippendorff_alpha({}, RatingLevel::interval)));
  EXPECT_TRUE(std::isnan(krippendorff_alpha(rated({{1, 2, 3}}), RatingLevel::interval)));
}

// The mean of equal ratings may differ from them in the last digit.
TEST(Agreement, EqualRatingsAreUndefined) {
  for (const double rating : {2.0, 0.1, 0.7, 4.35}) {
    for (std::size_t units = 1; units < 40; ++units) {
      const std::vector<double> all(units, rating);
      const auto ratings = rated({all, all, all});
      EXPECT_TRUE(std::isnan(krippendorff_alpha(ratings, RatingLevel::interval))) << rating << " " << units;
      EXPECT_TRUE(std::isnan(krippendorff_alpha(ratings, RatingLevel::ordinal))) << rating << " " << units;
    }
  }
}

TEST(Agreement, PairsOfJudges) {
  // Judges 0 and 1 say the same, judge 2 the opposite: correlations 1, -1, -1.
  const PairwiseAgreement three = pairwise_agreement(rated({{1, 2, 3}, {1, 2, 3}, {3, 2, 1}}));
  EXPECT_EQ(three.pairs, 3u);
  EXPECT_NEAR(three.pearson, -1.0 / 3, 1e-15);
  EXPECT_NEAR(three.kendall_b, -1.0 / 3, 1e-15);
}

TEST(Agreement, PairsWithLittleInCommonOrConstantRatingsDoNotCount) {
  const PairwiseAgreement none =
      pairwise_agreement(rated({{1, 2, kNone, kNone}, {1, 2, 3, 4}, {2, 2, 2, 2}}));
  EXPECT_EQ(none.pairs, 0u);
  EXPECT_TRUE(std::isnan(none.pearson));
  EXPECT_EQ(pairwise_agreement(rated({{1, 2, kNone}, {1, 2, 3}}), 2).pairs, 1u);
}

}  // namespace
}  // namespace capella::stats
