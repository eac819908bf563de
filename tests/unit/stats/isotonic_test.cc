#include "stats/isotonic.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace capella::stats {
namespace {

std::vector<double> fitted(const std::vector<double>& values, const std::vector<double>& weights = {}) {
  std::vector<double> all;
  for (const Block& block : isotonic(values, weights)) {
    EXPECT_EQ(block.begin, all.size());
    all.resize(block.end, block.value);
  }
  return all;
}

// The greatest, over beginnings up to k, of the least mean, over ends from k on (Robertson, Wright and
// Dykstra 1988, theorem 1.4.4).
double by_definition(const std::vector<double>& values, const std::vector<double>& weights, std::size_t k) {
  double greatest = -1e300;
  for (std::size_t i = 0; i <= k; ++i) {
    double least = 1e300, sum = 0, weight = 0;
    for (std::size_t j = i; j < values.size(); ++j) {
      sum += values[j] * weights[j];
      weight += weights[j];
      if (j >= k) least = std::min(least, sum / weight);
    }
    greatest = std::max(greatest, least);
  }
  return greatest;
}

TEST(Isotonic, KeepsWhatRises) {
  EXPECT_EQ(fitted({1, 2, 5}), (std::vector<double>{1, 2, 5}));
  EXPECT_EQ(fitted({}), (std::vector<double>{}));
}

TEST(Isotonic, PoolsWhatFalls) {
  EXPECT_EQ(fitted({1, 3, 2, 4}), (std::vector<double>{1, 2.5, 2.5, 4}));
  EXPECT_EQ(fitted({3, 2, 1}), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(fitted({4, 1}, {1, 2}), (std::vector<double>{2, 2}));
}

TEST(Isotonic, IsTheGreatestOfTheLeastMeans) {
  std::mt19937 draw(5);
  std::uniform_real_distribution<double> value(-1, 1), weight(.1, 3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values(1 + static_cast<std::size_t>(round) % 17), weights(values.size());
    for (double& one : values) one = value(draw);
    for (double& one : weights) one = weight(draw);
    const std::vector<double> found = fitted(values, weights);
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_NEAR(found[k], by_definition(values, weights, k), 1e-12);
  }
}

}  // namespace
}  // namespace capella::stats
