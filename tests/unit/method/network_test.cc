// The network's first weights and its answers. Expected values are computed by hand.
#include "method/composite/network.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace capella::method::composite {
namespace {

Network some_network(std::vector<std::size_t> sizes, std::uint64_t seed) {
  Random random(seed);
  return make_network(sizes, random);
}

TEST(MakeNetwork, HasTheShapeAsked) {
  const Network network = some_network({3, 5, 4, 2}, 1);
  ASSERT_EQ(network.layers.size(), 3u);
  EXPECT_EQ(network.inputs(), 3u);
  const std::size_t sizes[] = {3, 5, 4, 2};
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(network.layers[l].inputs, sizes[l]);
    EXPECT_EQ(network.layers[l].outputs, sizes[l + 1]);
    EXPECT_EQ(network.layers[l].weights.size(), sizes[l] * sizes[l + 1]);
    EXPECT_EQ(network.layers[l].biases, std::vector<float>(sizes[l + 1], 0.0f));
  }
}

// Mean 0 and variance 2 / inputs, within four standard errors; likewise how many lie within one deviation.
TEST(MakeNetwork, WeightsAreNormalWithHesDeviation) {
  const Network network = some_network({8, 5000, 2}, 7);
  const std::vector<float>& weights = network.layers[0].weights;
  const auto count = static_cast<double>(weights.size());
  const double deviation = std::sqrt(2.0 / 8);
  double sum = 0;
  double squares = 0;
  double near = 0;
  for (const float weight : weights) {
    sum += weight;
    squares += weight * weight;
    near += std::abs(weight) < deviation;
  }
  EXPECT_NEAR(sum / count, 0, 4 * deviation / std::sqrt(count));
  EXPECT_NEAR(squares / count, 2.0 / 8, 4 * 2.0 / 8 * std::sqrt(2 / count));
  EXPECT_NEAR(near / count, 0.682689, 4 * std::sqrt(0.682689 * 0.317311 / count));
}

TEST(MakeNetwork, SeedsDecide) {
  EXPECT_EQ(some_network({3, 4, 2}, 5).layers[1].weights, some_network({3, 4, 2}, 5).layers[1].weights);
  EXPECT_NE(some_network({3, 4, 2}, 5).layers[1].weights, some_network({3, 4, 2}, 6).layers[1].weights);
}

// Hidden: relu(1 - 2) = 0 and relu(2 + 2 - 1) = 3; last: 3 + .5 and -3, so P = 1 / (1 + e^6.5).
TEST(Probability, OfASmallNetworkByHand) {
  const Network network{{{.inputs = 2, .outputs = 2, .weights = {1, -1, 2, 1}, .biases = {0, -1}},
                         {.inputs = 2, .outputs = 2, .weights = {7, 1, 5, -1}, .biases = {0.5f, 0}}}};
  const std::vector<double> inputs = {1, 2};
  EXPECT_NEAR(probability(network, inputs), 0.00150118225673699, 1e-17);
  double odds = 0;
  log_odds(network, inputs, std::span(&odds, 1));
  EXPECT_EQ(odds, -6.5);
}

TEST(Probability, OfALinearNetworkIsASigmoid) {
  const Network network{{{.inputs = 2, .outputs = 2, .weights = {0, 0, 1, 2}, .biases = {0, -3}}}};
  EXPECT_EQ(probability(network, std::vector<double>{1, 1}), 0.5);
  EXPECT_NEAR(probability(network, std::vector<double>{0, 2}), 1 / (1 + std::exp(-1.0)), 1e-16);
  EXPECT_NEAR(probability(network, std::vector<double>{0, 1}), 1 / (1 + std::exp(1.0)), 1e-16);
  EXPECT_EQ(probability(network, std::vector<double>{1e6, 0}), 1.0);
  EXPECT_EQ(probability(network, std::vector<double>{-1e6, 0}), 0.0);
}

TEST(Probability, DoesNotDependOnTheRowsBeside) {
  const Network network = some_network({5, 21, 9, 2}, 3);
  Random random(4);
  for (const std::size_t rows : {1u, 2u, 15u, 16u, 17u, 40u}) {
    std::vector<double> values(rows * 5);
    for (double& value : values) value = random.normal();
    std::vector<double> answers(rows);
    probabilities(network, values, answers);
    for (std::size_t k = 0; k < rows; ++k)
      EXPECT_EQ(answers[k], probability(network, std::span(values).subspan(k * 5, 5))) << k << " of " << rows;
  }
}

TEST(IsFinite, LooksAtWeightsAndBiases) {
  Network network = some_network({2, 3, 2}, 1);
  EXPECT_TRUE(is_finite(network));
  network.layers[1].biases[0] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(is_finite(network));
  network.layers[1].biases[0] = 0;
  network.layers[0].weights[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(is_finite(network));
}

}  // namespace
}  // namespace capella::method::composite
