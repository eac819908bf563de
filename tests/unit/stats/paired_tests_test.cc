// Expected values are by hand or counted with numpy.
#include "stats/paired_tests.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "stats/bootstrap.h"
#include "support/swap_sides.h"

namespace capella::stats {
namespace {

constexpr double kPairedsNan = std::numeric_limits<double>::quiet_NaN();

using Numbers = std::vector<double>;

// -1.2 ... 2.8
Numbers spread() {
  Numbers values;
  for (int i = 0; i < 100; ++i) values.push_back((i * 37 % 101 - 30) / 25.0);
  return values;
}

TEST(PairedBootstrapP, CountsFarDifferences) {
  EXPECT_EQ(paired_bootstrap_p(0.8, spread()), 63.0 / 101);
  EXPECT_EQ(paired_bootstrap_p(-1, Numbers{-1, -1.5, -0.5, 0.1, -2, -2.5}), 4.0 / 7);
  EXPECT_EQ(paired_bootstrap_p(1, Numbers{1, 1.5, 0.5, -0.1, 2, 2.5}), 4.0 / 7);
}

TEST(PairedBootstrapP, EqualSystemsHaveP1) {
  EXPECT_EQ(paired_bootstrap_p(0, Numbers(99, 0.0)), 1.0);
}

TEST(SacrebleuBootstrapP, CentresWithoutSigns) {
  EXPECT_EQ(sacrebleu_bootstrap_p(0.8, spread()), 22.0 / 101);
  EXPECT_EQ(sacrebleu_bootstrap_p(-0.8, spread()), 22.0 / 101);
  EXPECT_EQ(sacrebleu_bootstrap_p(0, Numbers(99, 0.0)), 0.01);  // strictly more, as sacreBLEU has it
}

TEST(RandomizationP, CountsDifferencesAsLarge) {
  EXPECT_EQ(randomization_p(0.8, spread(), false), 62.0 / 101);
  EXPECT_EQ(randomization_p(-0.8, spread(), true), 61.0 / 100);
  EXPECT_EQ(randomization_p(0, Numbers(99, 0.0), false), 1.0);
}

TEST(RandomizationP, DifferencesEqualButForRoundingAreEqual) {
  const double third = 0.1 + 0.2;  // not 0.3
  ASSERT_NE(third, 0.3);
  EXPECT_EQ(randomization_p(third, Numbers{0.3, -0.3, 0.1, -0.1}, true), 0.5);
}

TEST(RandomizationP, AllSignsOfSixDifferences) {
  const Numbers first = {.62, .48, .71, .55, .40, .66};
  const Numbers second = {.50, .49, .60, .41, .38, .52};
  ThreadPool pool(1);
  const test::Sides sums = test::swap_sides({first.data(), 1}, {second.data(), 1}, 6, {1000, 1}, pool);
  Numbers differences;
  for (std::size_t i = 0; i < sums.trials; ++i) differences.push_back((sums.first[i] - sums.second[i]) / 6);
  EXPECT_NEAR(differences[0], 0.08666666666666667, 1e-15);
  EXPECT_TRUE(sums.exact);
  EXPECT_EQ(randomization_p(differences[0], differences, sums.exact), 0.0625);
}

TEST(PairedTests, WhatIsNotFiniteHasNoP) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double huge : {kInfinity, -kInfinity}) {
    for (const double p :
         {paired_bootstrap_p(huge, Numbers{1, 2}), paired_bootstrap_p(1, Numbers{huge, 2}),
          sacrebleu_bootstrap_p(huge, Numbers{1, 2}), sacrebleu_bootstrap_p(1, Numbers{huge, 2}),
          randomization_p(huge, Numbers{1, 2}, false), randomization_p(1, Numbers{huge, 2}, true)}) {
      EXPECT_TRUE(std::isnan(p));
    }
  }
}

TEST(PairedTests, NanMakesNan) {
  for (const double p :
       {paired_bootstrap_p(kPairedsNan, Numbers{1}), paired_bootstrap_p(1, Numbers{1, kPairedsNan}),
        sacrebleu_bootstrap_p(kPairedsNan, Numbers{1}), sacrebleu_bootstrap_p(1, Numbers{kPairedsNan}),
        randomization_p(kPairedsNan, Numbers{1}, true), randomization_p(1, Numbers{kPairedsNan}, false)}) {
    EXPECT_TRUE(std::isnan(p));
  }
}

TEST(Holm, ExampleByHand) {
  const Numbers corrected = holm(Numbers{0.01, 0.04, 0.03, 0.005});
  const Numbers expected = {0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(corrected[i], expected[i], 1e-15);
}

TEST(Holm, NeverAbove1AndNanIsNotCounted) {
  const Numbers corrected = holm(Numbers{0.7, kPairedsNan, 0.02, 0.9});
  EXPECT_EQ(corrected[0], 1.0);
  EXPECT_TRUE(std::isnan(corrected[1]));
  EXPECT_NEAR(corrected[2], 0.06, 1e-15);
  EXPECT_EQ(corrected[3], 1.0);
  EXPECT_TRUE(holm(Numbers{}).empty());
}

TEST(PairedEffectSize, MeanByDeviation) {
  EXPECT_NEAR(
      paired_effect_size(Numbers{.62, .48, .71, .55, .40, .66}, Numbers{.50, .49, .60, .41, .38, .52}),
      1.3330704262355724, 1e-12);
  EXPECT_NEAR(paired_effect_size(Numbers{1, 3}, Numbers{0, 0}), std::sqrt(2.0), 1e-15);
  EXPECT_EQ(paired_effect_size(Numbers{1, 2}, Numbers{1, 2}), 0.0);
  EXPECT_EQ(paired_effect_size(Numbers{1}, Numbers{1}), 0.0);
  EXPECT_TRUE(std::isnan(paired_effect_size(Numbers{2}, Numbers{1})));
  EXPECT_TRUE(std::isnan(paired_effect_size(Numbers{}, Numbers{})));
  EXPECT_TRUE(std::isnan(paired_effect_size(Numbers{1, kPairedsNan}, Numbers{1, 2})));
  EXPECT_EQ(paired_effect_size(Numbers{2, 3}, Numbers{1, 2}), std::numeric_limits<double>::infinity());
}

TEST(Williams, Signs) {
  const WilliamsResult up = williams(.6, .5, .7, 103);
  const WilliamsResult down = williams(.5, .6, .7, 103);
  EXPECT_EQ(up.t, -down.t);
  EXPECT_EQ(up.p, down.p);
}

TEST(Williams, EdgeCases) {
  EXPECT_EQ(williams(.3, .3, 1, 50).t, 0.0);
  EXPECT_EQ(williams(.3, .3, 1, 50).p, 1.0);
  EXPECT_TRUE(std::isnan(williams(.3, .4, .5, 3).p));
  EXPECT_TRUE(std::isnan(williams(.3, kPairedsNan, .5, 30).p));
  EXPECT_TRUE(std::isnan(williams(.3, .4, kPairedsNan, 30).t));
}

// A metric and twice the metric plus one: the coefficients differ by rounding alone.
TEST(Williams, CopiesOfOneMetricDoNotDiffer) {
  for (const double r23 : {1.0, 1 - 1e-16}) {
    const WilliamsResult found = williams(-0.53443123042899665, -0.53443123042899676, r23, 23);
    EXPECT_EQ(found.t, 0.0);
    EXPECT_EQ(found.p, 1.0);
  }
}

// 1 - .36 - .64 = 0 but for rounding: (.6 - .8) sqrt((n - 1) / .7^2) = -2.
TEST(Williams, ASharedVariableThatIsASumOfTheOthers) {
  EXPECT_NEAR(williams(.6, .8, 0, 50).t, -2.0, 1e-12);
  EXPECT_NEAR(williams(.6, std::nextafter(.8, 1), 0, 50).t, -2.0, 1e-12);
}

TEST(Williams, UndefinedIsNan) {
  EXPECT_TRUE(std::isnan(williams(.5, .4, 1, 50).p));    // no series have these
  EXPECT_TRUE(std::isnan(williams(.9, -.9, .9, 50).p));  // nor these
  EXPECT_TRUE(std::isnan(williams(.5, .5 + 1e-9, 1, 50).p));
  for (const std::size_t rows : {0, 1, 2, 3}) EXPECT_TRUE(std::isnan(williams(.3, .3, .5, rows).p));
}

}  // namespace
}  // namespace capella::stats
