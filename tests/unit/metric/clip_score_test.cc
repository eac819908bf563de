// The harmonic mean of RefCLIP-S and RefPAC-S. Scores of models are checked against a slow twin and reference
// programs.
#include "metric/clip_score.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace capella::metric {
namespace {

TEST(HarmonicMean, IsThatOfTheDefinition) {
  EXPECT_DOUBLE_EQ(harmonic_mean(1.0, 0.5), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(harmonic_mean(0.7, 0.7), 0.7);
  EXPECT_EQ(harmonic_mean(0.0, 0.9), 0.0);
  EXPECT_EQ(harmonic_mean(0.0, 0.0), 0.0);
}

// A network that overflows is not to be taken for one that sees nothing in common.
TEST(HarmonicMean, OfNoNumberIsNone) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(harmonic_mean(kNone, 0.5)));
  EXPECT_TRUE(std::isnan(harmonic_mean(0.5, kNone)));
  EXPECT_TRUE(std::isnan(harmonic_mean(0.0, kNone)));
}

}  // namespace
}  // namespace capella::metric
