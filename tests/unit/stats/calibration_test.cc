#include "stats/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "capella/error.h"

namespace capella::stats {
namespace {

constexpr double kCalibrationNone = std::numeric_limits<double>::quiet_NaN();

// People who say yes with the probability `score` squared.
struct Rated {
  std::vector<double> scores, ratings;

  explicit Rated(std::size_t count, unsigned seed) {
    std::mt19937 draw(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::size_t i = 0; i < count; ++i) {
      scores.push_back(uniform(draw));
      ratings.push_back(uniform(draw) < scores.back() * scores.back() ? 1.0 : 0.0);
    }
  }
};

std::vector<Knot> predicted(const Calibration& curve, std::span<const double> scores) {
  std::vector<Knot> all;
  for (const double score : scores) all.push_back(curve.at(score));
  return all;
}

TEST(Calibration, IsALineBetweenKnotsAndFlatBeyond) {
  const Calibration curve({{0, .2, .1}, {1, .4, .3}, {2, .8, .3}});
  EXPECT_DOUBLE_EQ(curve.at(.5).rating, .3);
  EXPECT_DOUBLE_EQ(curve.at(.5).spread, .2);
  EXPECT_DOUBLE_EQ(curve.at(1).rating, .4);
  EXPECT_DOUBLE_EQ(curve.at(1.25).rating, .5);
  EXPECT_DOUBLE_EQ(curve.at(-7).rating, .2);
  EXPECT_DOUBLE_EQ(curve.at(7).rating, .8);
  EXPECT_TRUE(std::isnan(curve.at(kCalibrationNone).rating));
}

TEST(Calibration, RefusesWhatDoesNotRise) {
  EXPECT_THROW(Calibration({{0, 0, 0}}), DataError);
  EXPECT_THROW(Calibration({{0, 0, 0}, {0, 1, 0}}), DataError);
  EXPECT_THROW(Calibration({{0, 1, 0}, {1, 1, 0}}), DataError);
  EXPECT_THROW(Calibration({{0, 0, 0}, {1, kCalibrationNone, 0}}), DataError);
  EXPECT_THROW(Calibration({{0, 0, 0}, {1, 1, -1}}), DataError);
}

TEST(Calibration, FindsTheCurveThatRatingsWereDrawnFrom) {
  const Rated data(40'000, 3);
  const Calibration curve = calibrate(data.scores, data.ratings);
  for (const double score : {.1, .3, .5, .7, .9}) {
    const double probability = score * score;
    EXPECT_NEAR(curve.at(score).rating, probability, .03) << score;
    EXPECT_NEAR(curve.at(score).spread, std::sqrt(probability * (1 - probability)), .03) << score;
  }
}

TEST(Calibration, RisesStrictlySoThatOrderStays) {
  const Rated data(3'000, 4);
  const Calibration curve = calibrate(data.scores, data.ratings);
  for (int i = -99; i < 100; ++i)
    EXPECT_LT(curve.at((i - 1) / 100.0).rating, curve.at(i / 100.0).rating) << i;
  EXPECT_DOUBLE_EQ(curve.at(-1).rating, 0);
  EXPECT_DOUBLE_EQ(curve.at(1).rating, 1);
}

TEST(Calibration, DoesNotDependOnTheOrderOfCaptions) {
  Rated data(2'000, 8);
  for (double& score : data.scores) score = std::round(score * 7) / 7;  // many are equal
  const Calibration curve = calibrate(data.scores, data.ratings);
  Rated turned = data;
  std::reverse(turned.scores.begin(), turned.scores.end());
  std::reverse(turned.ratings.begin(), turned.ratings.end());
  const Calibration other = calibrate(turned.scores, turned.ratings);
  ASSERT_EQ(curve.knots().size(), other.knots().size());
  for (double score = -1; score <= 1; score += .01)
    EXPECT_NEAR(curve.at(score).rating, other.at(score).rating, 1e-9) << score;
}

TEST(Calibration, TakesTheMeanOfEqualScores) {
  std::vector<double> scores(400, 1.0), ratings(400, 0.0);
  std::fill(ratings.begin() + 100, ratings.end(), 1.0);
  EXPECT_NEAR(calibrate(scores, ratings).at(1).rating, .75, .001);
}

TEST(Calibration, RefusesDataItCannotLearnFrom) {
  Rated data(200, 5);
  EXPECT_THROW(calibrate(std::span(data.scores).first(99), std::span(data.ratings).first(99)), DataError);
  EXPECT_THROW(calibrate(data.scores, std::span(data.ratings).first(150)), DataError);
  data.ratings[7] = kCalibrationNone;
  EXPECT_THROW(calibrate(data.scores, data.ratings), DataError);
  data.ratings[7] = 5;
  EXPECT_THROW(calibrate(data.scores, data.ratings), DataError);
}

// Every caption has an image of its own.
std::vector<std::uint32_t> each_alone(std::size_t captions) {
  std::vector<std::uint32_t> images(captions);
  std::iota(images.begin(), images.end(), 0u);
  return images;
}

TEST(Reliability, IsGoodOfTheCurveAndBadOfAnother) {
  const Rated data(20'000, 6), others(20'000, 7);
  const Calibration curve = calibrate(data.scores, data.ratings);
  const Reliability good = reliability(predicted(curve, others.scores), others.ratings, each_alone(20'000));
  EXPECT_EQ(good.bins.size(), 10u);
  EXPECT_LT(good.error, .02);
  const Calibration line({{0, 0, .5}, {1, 1, .5}});
  const Reliability bad = reliability(predicted(line, others.scores), others.ratings, each_alone(20'000));
  EXPECT_NEAR(bad.error, 1.0 / 6, .02);  // the mean of x - x^2
  std::size_t captions = 0;
  for (const ReliabilityBin& bin : bad.bins) captions += bin.captions;
  EXPECT_EQ(captions, others.scores.size());
}

TEST(Reliability, CountsRatingsWithinOneSpread) {
  const Calibration line({{0, 0, .25}, {1, 1, .25}});
  const std::vector<double> scores{.5, .5, .5, .5}, ratings{.5, .7, .8, .2};
  EXPECT_DOUBLE_EQ(reliability(predicted(line, scores), ratings, each_alone(4)).within, .5);
}

// By hand: four captions' deviation is .577, their mean's half of it; two images' means, 0 and 1, have the
// standard error .707 / 1.414, however many captions they are of.
TEST(Reliability, CaptionsOfOneImageAreNotIndependent) {
  const Calibration line({{0, 0, .25}, {1, 1, .25}});
  const std::vector<double> scores{.5, .5, .5, .5}, ratings{0, 0, 1, 1};
  const auto error = [&](const std::vector<std::uint32_t>& images) {
    return reliability(predicted(line, scores), ratings, images, 1).bins.at(0).spread;
  };
  EXPECT_NEAR(error({0, 1, 2, 3}), std::sqrt(1.0 / 12), 1e-12);
  EXPECT_NEAR(error({7, 7, 5, 5}), .5, 1e-12);
  EXPECT_NEAR(error({0, 1, 0, 1}), 0, 1e-12);
  EXPECT_TRUE(std::isnan(error({3, 3, 3, 3})));
}

}  // namespace
}  // namespace capella::stats
