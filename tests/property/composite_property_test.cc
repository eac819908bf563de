// The composite metrics' network agrees with its slow twin: answers, gradients, whole trainings, shares of
// inputs.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "method/composite/gradient.h"
#include "method/composite/shapley.h"
#include "method/composite/train.h"
#include "reference/composite_network_reference.h"

namespace capella::method::composite {
namespace {

using reference::LongNetwork;
using reference::LongRow;

// How numbers are drawn. Eighths keep every sum before the softmax exact in floats, so that twins agree on
// which side of ReLU's corner it is, and often put it right on the corner.
enum class Kind { kReal, kEighths };

double draw_number(Random& random, Kind kind) {
  return kind == Kind::kReal ? random.normal() : (static_cast<double>(random.below(17)) - 8) / 8;
}

Network draw_network(Random& random, Kind kind, std::size_t inputs, std::size_t widest) {
  std::vector<std::size_t> sizes = {inputs};
  for (std::uint32_t hidden = random.below(4); hidden > 0; --hidden)
    sizes.push_back(1 + random.below(static_cast<std::uint32_t>(widest)));
  sizes.push_back(2);
  Network network = make_network(sizes, random);
  for (Layer& layer : network.layers) {
    for (float& weight : layer.weights) weight = static_cast<float>(draw_number(random, kind));
    for (float& bias : layer.biases) bias = static_cast<float>(draw_number(random, kind));
  }
  return network;
}

Examples draw_examples(Random& random, Kind kind, std::size_t inputs, std::size_t rows) {
  Examples examples{.inputs = inputs, .values = {}, .targets = {}};
  for (std::size_t k = 0; k < rows; ++k) {
    for (std::size_t i = 0; i < inputs; ++i) examples.values.push_back(draw_number(random, kind));
    examples.targets.push_back(random.below(2));
  }
  return examples;
}

LongRow long_row(std::span<const double> values) {
  return {values.begin(), values.end()};
}

// Weights and biases one after the other.
LongRow flat(const LongNetwork& network) {
  LongRow all;
  for (const reference::LongLayer& layer : network) {
    for (const LongRow& weights : layer.weights) all.insert(all.end(), weights.begin(), weights.end());
    all.insert(all.end(), layer.biases.begin(), layer.biases.end());
  }
  return all;
}

// Within `tolerance` of the largest expected number.
void expect_near(const LongRow& found, const LongRow& expected, long double tolerance) {
  RC_ASSERT(found.size() == expected.size());
  long double largest = 0;
  for (const long double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < found.size(); ++k) {
    RC_LOG() << "number " << k << ": found " << static_cast<double>(found[k]) << ", expected "
             << static_cast<double>(expected[k]) << '\n';
    RC_ASSERT(std::abs(found[k] - expected[k]) <= tolerance * (largest + 1e-3L));
  }
}

std::vector<std::uint32_t> all_rows(const Examples& examples) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t k = 0; k < examples.rows(); ++k) rows.push_back(k);
  return rows;
}

TEST(CompositeProperty, AnswersAreThoseOfTheFormulas) {
  EXPECT_TRUE(rc::check("probabilities", [](std::uint64_t seed) {
    Random random(seed);
    const Network network = draw_network(random, Kind::kReal, 1 + random.below(9), 30);
    const Examples examples = draw_examples(random, Kind::kReal, network.inputs(), 1 + random.below(40));
    std::vector<double> answers(examples.rows());
    probabilities(network, examples.values, answers);
    const LongNetwork twin = reference::composite_network(network);
    for (std::size_t k = 0; k < answers.size(); ++k) {
      const LongRow expected = reference::composite_answer(twin, long_row(examples.row(k)));
      RC_ASSERT(std::abs(static_cast<double>(expected[1]) - answers[k]) <= 1e-12);
      RC_ASSERT(probability(network, examples.row(k)) == answers[k]);
    }
  }));
}

// Any number of rows up to three blocks, in any order, some of them twice.
TEST(CompositeProperty, GradientIsThatOfTheChainRule) {
  EXPECT_TRUE(rc::check("gradient", [](std::uint64_t seed, bool large) {
    Random random(seed);
    const Network network = draw_network(random, Kind::kEighths, 1 + random.below(20), large ? 40 : 5);
    const std::uint32_t most = large ? 3 * BatchGradient::kBlockRows : 6;
    const Examples examples = draw_examples(random, Kind::kEighths, network.inputs(), 1 + random.below(most));
    std::vector<std::uint32_t> rows;
    Examples drawn{.inputs = examples.inputs, .values = {}, .targets = {}};
    for (std::uint32_t count = 1 + random.below(most); count > 0; --count) {
      rows.push_back(random.below(static_cast<std::uint32_t>(examples.rows())));
      const auto values = examples.row(rows.back());
      drawn.values.insert(drawn.values.end(), values.begin(), values.end());
      drawn.targets.push_back(examples.targets[rows.back()]);
    }
    const double l2 = random.below(3) * 0.25;
    ThreadPool pool(2);
    const Network found = BatchGradient(examples, pool).of(network, rows, l2);
    const LongNetwork expected =
        reference::composite_gradient(reference::composite_network(network), drawn, l2);
    expect_near(flat(reference::composite_network(found)), flat(expected), 2e-6L);
  }));
}

// The loss moved a little in one number, both ways; the corner of ReLU is too thin to be hit.
TEST(CompositeProperty, GradientIsTheSlopeOfTheLoss) {
  EXPECT_TRUE(rc::check("finite differences", [](std::uint64_t seed) {
    Random random(seed);
    const Network network = draw_network(random, Kind::kReal, 1 + random.below(4), 4);
    const Examples examples = draw_examples(random, Kind::kReal, network.inputs(), 1 + random.below(5));
    constexpr long double kStep = 1e-9L;
    const double l2 = 0.125;
    LongNetwork twin = reference::composite_network(network);
    LongRow slopes;
    const auto slope = [&](long double& number) {
      const long double before = number;
      number = before + kStep;
      const long double above = reference::composite_loss(twin, examples, l2);
      number = before - kStep;
      const long double below = reference::composite_loss(twin, examples, l2);
      number = before;
      slopes.push_back((above - below) / (2 * kStep));
    };
    for (reference::LongLayer& layer : twin) {
      for (LongRow& weights : layer.weights) {
        for (long double& weight : weights) slope(weight);
      }
      for (long double& bias : layer.biases) slope(bias);
    }
    expect_near(flat(reference::composite_gradient(twin, examples, l2)), slopes, 1e-7L);
    ThreadPool pool(1);
    const Network found = BatchGradient(examples, pool).of(network, all_rows(examples), l2);
    expect_near(flat(reference::composite_network(found)), slopes, 1e-4L);
  }));
}

TEST(CompositeProperty, SharesAreMeansOverAllOrders) {
  EXPECT_TRUE(rc::check("shares", [](std::uint64_t seed) {
    Random random(seed);
    Model model;
    model.network = draw_network(random, Kind::kReal, 1 + random.below(5), 8);
    std::vector<double> scores;
    for (std::size_t k = 0; k < model.network.inputs(); ++k) {
      Input input;
      input.shift = random.normal();
      input.scale = random.normal();
      input.mean = random.normal();
      model.inputs.push_back(input);
      scores.push_back(random.below(4) ? random.normal() : input.mean);
    }
    const LongNetwork twin = reference::composite_network(model.network);
    const LongRow expected =
        reference::shares_over_all_orders(scores.size(), [&](const std::vector<bool>& set) {
          LongRow inputs;
          for (std::size_t k = 0; k < scores.size(); ++k) {
            const Input& input = model.inputs[k];
            inputs.push_back((static_cast<long double>(set[k] ? scores[k] : input.mean) - input.shift) *
                             input.scale);
          }
          return reference::composite_answer(twin, inputs)[1];
        });
    expect_near(long_row(explain_inputs(model, scores).shares), expected, 1e-11L);
  }));
}

// Adam by its formulas, one number at a time.
struct SlowAdam {
  LongNetwork mean;
  LongNetwork square;
  int steps = 0;

  void move(long double& value, long double slope, long double& m, long double& v, long double rate) const {
    m = 0.9L * m + 0.1L * slope;
    v = 0.999L * v + 0.001L * slope * slope;
    const long double corrected = m / (1 - std::pow(0.9L, steps));
    value -= rate * corrected / (std::sqrt(v / (1 - std::pow(0.999L, steps))) + 1e-8L);
  }

  void step(LongNetwork& network, const LongNetwork& slopes, long double rate) {
    ++steps;
    for (std::size_t l = 0; l < network.size(); ++l) {
      for (std::size_t o = 0; o < network[l].biases.size(); ++o) {
        for (std::size_t k = 0; k < network[l].weights[o].size(); ++k)
          move(network[l].weights[o][k], slopes[l].weights[o][k], mean[l].weights[o][k],
               square[l].weights[o][k], rate);
        move(network[l].biases[o], slopes[l].biases[o], mean[l].biases[o], square[l].biases[o], rate);
      }
    }
  }
};

LongNetwork zeros_like(LongNetwork network) {
  for (reference::LongLayer& layer : network) {
    for (LongRow& weights : layer.weights) std::fill(weights.begin(), weights.end(), 0);
    std::fill(layer.biases.begin(), layer.biases.end(), 0);
  }
  return network;
}

// The network after each epoch, from the description: one stream of random numbers draws the weights and then
// an order for each epoch; batches are taken in that order, the last one as short as it comes.
std::vector<LongNetwork> slow_training(const Examples& examples, const TrainOptions& options) {
  Random random(options.seed);
  std::vector<std::size_t> sizes = {examples.inputs};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(2);
  LongNetwork network = reference::composite_network(make_network(sizes, random));
  SlowAdam adam{zeros_like(network), zeros_like(network)};
  std::vector<std::uint32_t> order = all_rows(examples);
  std::vector<LongNetwork> epochs = {network};
  while (epochs.size() <= options.most_epochs) {
    shuffle(order, random);
    for (std::size_t first = 0; first < order.size(); first += options.batch) {
      Examples batch{.inputs = examples.inputs, .values = {}, .targets = {}};
      for (std::size_t k = first; k < std::min(order.size(), first + options.batch); ++k) {
        const auto values = examples.row(order[k]);
        batch.values.insert(batch.values.end(), values.begin(), values.end());
        batch.targets.push_back(examples.targets[order[k]]);
      }
      adam.step(network, reference::composite_gradient(network, batch, options.l2), options.rate);
    }
    epochs.push_back(network);
  }
  return epochs;
}

// Steps of Adam are of one size however small a slope is, so numbers drift apart: by far less than they move.
TEST(CompositeProperty, TrainingFollowsTheDescription) {
  EXPECT_TRUE(rc::check("training", [](std::uint64_t seed) {
    Random random(seed);
    Examples examples = draw_examples(random, Kind::kReal, 3, 10 + random.below(30));
    examples.targets[0] = 0;
    examples.targets[1] = 1;
    const TrainOptions options{
        .hidden = random.below(2) ? std::vector<std::size_t>{8, 6} : std::vector<std::size_t>{},
        .seed = seed,
        .l2 = 0.01,
        .batch = 1 + random.below(45),
        .most_epochs = 3};
    ThreadPool pool(1);
    const Trained trained = train(examples, examples, options, pool);
    const std::vector<LongNetwork> expected = slow_training(examples, options);
    RC_ASSERT(trained.epochs.size() == expected.size());
    const LongRow start = flat(expected[0]);
    const LongRow end = flat(expected[trained.best]);
    const LongRow found = flat(reference::composite_network(trained.network));
    long double moved = 0;
    long double off = 0;
    for (std::size_t k = 0; k < end.size(); ++k) {
      moved += std::abs(end[k] - start[k]);
      off += std::abs(found[k] - end[k]);
    }
    RC_LOG() << "moved " << static_cast<double>(moved) << ", off " << static_cast<double>(off) << '\n';
    RC_ASSERT(off <= 1e-3L * moved);
    RC_ASSERT(std::abs(trained.epochs[trained.best].loss -
                       static_cast<double>(reference::composite_loss(expected[trained.best], examples, 0))) <=
              1e-5);
  }));
}

}  // namespace
}  // namespace capella::method::composite
