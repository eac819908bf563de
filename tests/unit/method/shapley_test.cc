// Shares of the inputs: the laws that make them Shapley values, and values by hand.
#include "method/composite/shapley.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"

namespace capella::method::composite {
namespace {

Model model_with(std::vector<std::size_t> sizes, std::uint64_t seed) {
  Random random(seed);
  Model model;
  model.name = "small";
  model.network = make_network(sizes, random);
  for (std::size_t k = 0; k < sizes[0]; ++k) {
    Input input;
    input.score = "s" + std::to_string(k);
    input.shift = random.uniform();
    input.scale = 0.5 + random.uniform();
    input.mean = random.normal();
    model.inputs.push_back(input);
  }
  return model;
}

std::vector<double> means(const Model& model) {
  std::vector<double> values;
  for (const Input& input : model.inputs) values.push_back(input.mean);
  return values;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Shapley, SharesAddUp) {
  for (const std::size_t inputs : {1u, 2u, 5u, 13u}) {
    const Model model = model_with({inputs, 30, 10, 2}, inputs);
    std::vector<double> scores = means(model);
    for (std::size_t k = 0; k < inputs; ++k) scores[k] += k % 2 ? 1.5 : -0.7;
    const Shares shares = explain_inputs(model, scores);
    ASSERT_EQ(shares.shares.size(), inputs);
    EXPECT_EQ(shares.start, score(model, means(model)));
    EXPECT_EQ(shares.end, score(model, scores));
    EXPECT_NE(shares.start, shares.end);
    EXPECT_NEAR(sum(shares.shares), shares.end - shares.start, 1e-12);
  }
}

// What the network does not look at, and what is as in the mean caption, has no share.
TEST(Shapley, WhatChangesNothingHasNoShare) {
  Model model = model_with({4, 12, 2}, 8);
  for (std::size_t o = 0; o < 12; ++o) model.network.layers[0].weights[o * 4 + 2] = 0;
  std::vector<double> scores = means(model);
  for (double& value : scores) value += 1;
  scores[1] = model.inputs[1].mean;
  const Shares shares = explain_inputs(model, scores);
  EXPECT_EQ(shares.shares[2], 0.0);
  EXPECT_EQ(shares.shares[1], 0.0);
  EXPECT_NE(shares.shares[0], 0.0);
  EXPECT_NE(shares.shares[3], 0.0);
}

TEST(Shapley, InputsThatDoTheSameHaveEqualShares) {
  Model model = model_with({4, 12, 2}, 9);
  for (std::size_t o = 0; o < 12; ++o) {
    float* weights = model.network.layers[0].weights.data() + o * 4;
    weights[3] = weights[0];
  }
  model.inputs[3] = model.inputs[0];
  std::vector<double> scores = means(model);
  for (double& value : scores) value += 0.8;
  const Shares shares = explain_inputs(model, scores);
  EXPECT_NEAR(shares.shares[0], shares.shares[3], 1e-15);
  EXPECT_GT(std::abs(shares.shares[0] - shares.shares[1]), 1e-3);
}

// One input has the whole difference. Of two, v(both) - v(none) is cut by the mean of the two orders.
TEST(Shapley, OneAndTwoInputsByHand) {
  Model model;
  model.inputs.resize(2);
  model.network = {{{.inputs = 2, .outputs = 2, .weights = {0, 0, 1, 2}, .biases = {0, 0}}}};
  const auto p = [](double x) { return 1 / (1 + std::exp(-x)); };
  const Shares two = explain_inputs(model, std::vector<double>{1, 1});
  EXPECT_NEAR(two.shares[0], ((p(1) - p(0)) + (p(3) - p(2))) / 2, 1e-15);
  EXPECT_NEAR(two.shares[1], ((p(2) - p(0)) + (p(3) - p(1))) / 2, 1e-15);
  EXPECT_EQ(two.start, 0.5);
  model.inputs.pop_back();
  model.network = {{{.inputs = 1, .outputs = 2, .weights = {0, 1}, .biases = {0, 0}}}};
  const Shares one = explain_inputs(model, std::vector<double>{2});
  EXPECT_NEAR(one.shares[0], p(2) - 0.5, 1e-15);
}

// relu(a) + relu(b): no input changes what the other does, so each has its own difference. The answer is
// nearly linear where it is near one half.
TEST(Shapley, InputsThatAddUpHaveTheirOwnDifference) {
  Model model;
  model.inputs.resize(3);
  model.network = {
      {{.inputs = 3, .outputs = 3, .weights = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .biases = {0, 0, 0}},
       {.inputs = 3, .outputs = 2, .weights = {0, 0, 0, 1e-5f, 1e-5f, 1e-5f}, .biases = {0, 0}}}};
  const Shares shares = explain_inputs(model, std::vector<double>{1, 3, -2});
  EXPECT_NEAR(shares.shares[0], 1e-5 / 4, 1e-12);
  EXPECT_NEAR(shares.shares[1], 3e-5 / 4, 1e-12);
  EXPECT_EQ(shares.shares[2], 0.0);
}

TEST(Shapley, SixteenInputsAreFastEnoughToAskFor) {
  const Model model = model_with({16, 72, 72, 2}, 10);
  std::vector<double> scores = means(model);
  for (double& value : scores) value += 0.1;
  const Shares shares = explain_inputs(model, scores);
  EXPECT_NEAR(sum(shares.shares), shares.end - shares.start, 1e-12);
}

TEST(Shapley, RefusesTooManyInputs) {
  const Model model = model_with({21, 2}, 11);
  EXPECT_EQ(test::message_of<UsageError>([&] { explain_inputs(model, std::vector<double>(21, 0.0)); }),
            "composite metric 'small' has 21 inputs; shares are computed for at most 20");
  EXPECT_THROW(explain_inputs(model_with({3, 2}, 1), std::vector<double>(2, 0.0)), UsageError);
}

}  // namespace
}  // namespace capella::method::composite
