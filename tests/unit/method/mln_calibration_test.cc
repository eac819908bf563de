#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "method/mln/attention/calibration.h"

namespace capella::method::mln {
namespace {

TEST(Calibration, WithoutCasesThePriorHolds) {
  const Calibration fitted = fit_calibration({}, {}, -2.5);
  EXPECT_EQ(fitted.slope, 1);
  EXPECT_EQ(fitted.shift, -2.5);
}

TEST(Calibration, FindsTheSlopeAndShiftThatCasesWereDrawnWith) {
  Random random(3);
  std::vector<double> logits;
  std::vector<bool> right;
  for (int i = 0; i < 40'000; ++i) {
    logits.push_back(3 * random.normal());
    right.push_back(random.uniform() < Calibration{.4, -1.5}.of(logits.back()));
  }
  const Calibration fitted = fit_calibration(logits, right, 0);
  EXPECT_NEAR(fitted.slope, .4, .03);
  EXPECT_NEAR(fitted.shift, -1.5, .06);
}

// At the optimum the slopes of likelihood and priors cancel.
TEST(Calibration, IsTheOptimumOfThePosterior) {
  const std::vector<double> logits = {-2, -1, 0, .5, 3, 1, -4};
  const std::vector<bool> right = {false, true, false, true, true, false, false};
  const double centre = -.7;
  const Calibration fitted = fit_calibration(logits, right, centre);
  double by_slope = fitted.slope - 1;
  double by_shift = (fitted.shift - centre) / 4;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double surplus = fitted.of(logits[i]) - (right[i] ? 1 : 0);
    by_slope += surplus * logits[i];
    by_shift += surplus;
  }
  EXPECT_NEAR(by_slope, 0, 1e-8);
  EXPECT_NEAR(by_shift, 0, 1e-8);
}

TEST(Calibration, SeparatedCasesDoNotLeadAstray) {
  const std::vector<double> logits = {-5, -4, 4, 5};
  const std::vector<bool> right = {false, false, true, true};
  const Calibration fitted = fit_calibration(logits, right, 0);
  EXPECT_GT(fitted.slope, .5);
  EXPECT_LT(fitted.slope, 3);
}

TEST(Calibration, ANetworkThatSaysTheContraryIsNotTurnedRound) {
  std::vector<double> logits;
  std::vector<bool> right;
  for (int i = 0; i < 300; ++i) {
    logits.push_back(i % 3 == 0 ? -6 : 6);
    right.push_back(i % 3 == 0);
  }
  const Calibration fitted = fit_calibration(logits, right, 0);
  EXPECT_EQ(fitted.slope, .05);
  // The shift still fits the share of right cases.
  double sum = 0;
  for (const double logit : logits) sum += fitted.of(logit);
  EXPECT_NEAR(sum / 300, 1.0 / 3, .01);
}

TEST(Quality, MeasuresByHand) {
  const std::vector<double> probabilities = {.9, .2, .25, .6};
  const std::vector<bool> right = {true, false, true, false};
  const ProbabilityQuality found = quality(probabilities, right);
  EXPECT_NEAR(found.log_loss, -(std::log(.9) + std::log(.8) + std::log(.25) + std::log(.4)) / 4, 1e-15);
  EXPECT_NEAR(found.brier, (.01 + .04 + .5625 + .36) / 4, 1e-15);
  // Bins: 0.9 alone, 0.2 and 0.25 together, 0.6 alone.
  EXPECT_NEAR(found.ece, (.1 + std::abs(.45 - 1) + .6) / 4, 1e-15);
  EXPECT_TRUE(std::isnan(quality({}, {}).brier));
}

// Told in every second image: both halves have as many.
TEST(SecondHalf, HasItsShareOfBothKinds) {
  std::vector<std::string> names;
  for (int k = 0; k < 40; ++k) names.push_back(std::to_string(k));
  std::vector<std::string_view> images;
  std::vector<bool> right;
  for (int k = 0; k < 80; ++k) {
    images.push_back(names[static_cast<std::size_t>(k / 2)]);
    right.push_back(k / 2 % 2 == 0);
  }
  const std::vector<bool> second = second_half(images, right);
  std::array<int, 4> counts{};
  for (std::size_t k = 0; k < second.size(); ++k) {
    EXPECT_EQ(second[k], second[k / 2 * 2]);  // of the same image
    ++counts[(second[k] ? 2u : 0u) + (right[k] ? 1u : 0u)];
  }
  EXPECT_EQ(counts, (std::array{20, 20, 20, 20}));
  std::ranges::reverse(images);
  std::vector<bool> back(right.rbegin(), right.rend());
  std::vector<bool> turned = second_half(images, back);
  std::reverse(turned.begin(), turned.end());
  EXPECT_EQ(turned, second);
}

TEST(SecondHalf, TwoImagesAreOneEach) {
  const std::vector<std::string_view> images = {"a", "a", "b"};
  const std::vector<bool> second = second_half(images, {true, false, true});
  EXPECT_EQ(second[0], second[1]);
  EXPECT_NE(second[0], second[2]);
  EXPECT_TRUE(second_half({}, {}).empty());
}

}  // namespace
}  // namespace capella::method::mln
