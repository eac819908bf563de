#include "stats/auc.h"

#include <cmath>

#include <gtest/gtest.h>

namespace capella::stats {
namespace {

double area(const std::vector<double>& scores, const std::vector<bool>& right) {
  return area_under_curve(scores, right);
}

// scikit-learn's example: roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]) = 0.75.
TEST(AreaUnderCurve, IsTheShareOfPairsInOrder) {
  EXPECT_EQ(area({.1, .4, .35, .8}, {false, false, true, true}), .75);
  EXPECT_EQ(area({1, 2, 3, 4}, {false, false, true, true}), 1);
  EXPECT_EQ(area({1, 2, 3, 4}, {true, true, false, false}), 0);
}

TEST(AreaUnderCurve, TiesCountHalf) {
  EXPECT_EQ(area({1, 1, 1}, {true, false, false}), .5);
  EXPECT_EQ(area({1, 2, 2, 3}, {false, true, false, true}), (1 + .5 + 1 + 1) / 4);
}

TEST(AreaUnderCurve, IsUndefinedWithOneSideAlone) {
  EXPECT_TRUE(std::isnan(area({}, {})));
  EXPECT_TRUE(std::isnan(area({1, 2}, {true, true})));
  EXPECT_TRUE(std::isnan(area({1, 2}, {false, false})));
  EXPECT_TRUE(std::isnan(area({1, NAN}, {true, false})));
}

}  // namespace
}  // namespace capella::stats
