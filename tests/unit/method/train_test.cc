// Training: what can be learnt is learnt, what cannot is not, and the epoch that agrees best with people is
// kept. Expected values are mathematics.
#include "method/composite/train.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "method/composite/adam.h"
#include "method/composite/gradient.h"
#include "stats/correlation.h"
#include "support/message_of.h"

namespace capella::method::composite {
namespace {

using test::message_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class TrainTest : public ::testing::Test {
 protected:
  Trained train_on(const Examples& training, const TrainOptions& options) {
    return train(training, training, options, pool_);
  }

  ThreadPool pool_{2};
};

// Two clouds around (0, 0) and (shift, shift); humans are the second.
Examples two_clouds(std::size_t rows, double shift, std::uint64_t seed) {
  Random random(seed);
  Examples examples{.inputs = 2, .values = {}, .targets = {}};
  for (std::size_t k = 0; k < rows; ++k) {
    const bool human = random.uniform() < 0.5;
    examples.targets.push_back(human);
    for (int i = 0; i < 2; ++i) examples.values.push_back(shift * human + random.normal());
  }
  return examples;
}

// Rows of one number, which is also the rating; as a class, whether it is above one half.
Examples staircase(std::size_t rows, bool ratings) {
  Examples examples{.inputs = 1, .values = {}, .targets = {}};
  for (std::size_t k = 0; k < rows; ++k) {
    const double value = static_cast<double>(k) / static_cast<double>(rows - 1);
    examples.values.push_back(value);
    examples.targets.push_back(ratings ? value : value > 0.5);
  }
  return examples;
}

const Examples kXor{.inputs = 2, .values = {0, 0, 0, 1, 1, 0, 1, 1}, .targets = {0, 1, 1, 0}};

TEST_F(TrainTest, LearnsWhatALineSeparates) {
  Examples apart{.inputs = 2, .values = {}, .targets = {}};
  Random random(1);
  while (apart.rows() < 300) {
    const double x = random.uniform();
    const double y = random.uniform();
    if (std::abs(x - y) < 0.05) continue;
    apart.values.insert(apart.values.end(), {x, y});
    apart.targets.push_back(x > y);
  }
  for (const std::vector<std::size_t>& hidden : {std::vector<std::size_t>{}, {8}, {12, 6}}) {
    const Trained trained = train_on(apart, {.hidden = hidden,
                                             .rate = 0.02,
                                             .l2 = 0,
                                             .batch = 32,
                                             .most_epochs = 300,
                                             .halve_after = 0,
                                             .stop_after = 0});
    EXPECT_EQ(trained.epochs.back().accuracy, 1.0) << hidden.size() << " hidden layers";
    EXPECT_LT(trained.epochs.back().loss, 0.1) << hidden.size() << " hidden layers";
  }
}

// The best that a line can do about XOR is to answer one half: the loss is ln 2, and three of four are right
// at most.
TEST_F(TrainTest, LearnsXorWithAHiddenLayerOnly) {
  const TrainOptions options{.hidden = {16},
                             .rate = 0.02,
                             .l2 = 0,
                             .batch = 4,
                             .most_epochs = 400,
                             .halve_after = 0,
                             .stop_after = 0};
  const Trained curved = train_on(kXor, options);
  EXPECT_EQ(curved.epochs.back().accuracy, 1.0);
  EXPECT_LT(curved.epochs.back().loss, 0.05);
  TrainOptions linear = options;
  linear.hidden = {};
  const Trained straight = train_on(kXor, linear);
  for (const Epoch& epoch : straight.epochs) {
    EXPECT_LE(epoch.accuracy, 0.75);
    EXPECT_GE(epoch.loss, std::log(2.0) - 1e-12);
  }
  EXPECT_NEAR(straight.epochs.back().loss, std::log(2.0), 1e-3);
}

// With weights at 0 the answer is the share of humans, which the biases, on which there is no L2, can learn.
TEST_F(TrainTest, HeavyL2LeavesOnlyTheBiases) {
  Examples mostly_human = two_clouds(12000, 1.0, 2);
  for (std::size_t k = 0; k < mostly_human.rows(); ++k) mostly_human.targets[k] = k % 4 != 0;
  const TrainOptions options{.hidden = {6}, .rate = 0.01, .l2 = 0, .batch = 10, .most_epochs = 1};
  const auto largest_weight = [](const Network& network) {
    float largest = 0;
    for (const Layer& layer : network.layers) {
      for (const float weight : layer.weights) largest = std::max(largest, std::abs(weight));
    }
    return largest;
  };
  TrainOptions heavy = options;
  heavy.l2 = 100;
  EXPECT_GT(largest_weight(train_on(mostly_human, options).network), 0.5f);
  const Trained trained = train_on(mostly_human, heavy);
  EXPECT_LT(largest_weight(trained.network), 0.02f);
  EXPECT_NEAR(probability(trained.network, std::vector<double>{0.3, -0.2}), 0.75, 0.06);
}

TEST_F(TrainTest, SeedsDecideAndThreadsDoNot) {
  const Examples training = two_clouds(1000, 1.0, 3);
  const Examples validation = two_clouds(600, 1.0, 4);
  const auto run = [&](std::uint64_t seed, std::size_t threads) {
    ThreadPool pool(threads);
    return train(training, validation, {.hidden = {20, 7}, .seed = seed, .batch = 700, .most_epochs = 6},
                 pool);
  };
  const Trained once = run(9, 1);
  for (const std::size_t threads : {1u, 2u, 3u}) {
    const Trained again = run(9, threads);
    EXPECT_EQ(again.best, once.best);
    for (std::size_t l = 0; l < 3; ++l) {
      EXPECT_EQ(again.network.layers[l].weights, once.network.layers[l].weights) << threads << " threads";
      EXPECT_EQ(again.network.layers[l].biases, once.network.layers[l].biases) << threads << " threads";
    }
    for (std::size_t k = 0; k < once.epochs.size(); ++k) EXPECT_EQ(again.epochs[k].loss, once.epochs[k].loss);
  }
  EXPECT_NE(run(10, 2).network.layers[0].weights, once.network.layers[0].weights);
}

// What is told about the kept epoch can be computed again from the kept network.
void expect_kept_is_best(const Trained& trained, const Examples& training, const Examples& validation) {
  std::size_t best = 1;
  for (std::size_t k = 2; k < trained.epochs.size(); ++k) {
    if (trained.epochs[k].tau_b > trained.epochs[best].tau_b) best = k;
  }
  EXPECT_EQ(trained.best, best);
  std::vector<double> answers(validation.rows());
  probabilities(trained.network, validation.values, answers);
  const stats::KendallResult agreement = stats::kendall(answers, validation.targets);
  EXPECT_EQ(trained.epochs[best].tau_b, agreement.tau_b);
  EXPECT_EQ(trained.epochs[best].tau_c, agreement.tau_c);
  EXPECT_EQ(trained.epochs[best].accuracy, accuracy(trained.network, training));
  double loss = 0;
  for (std::size_t k = 0; k < training.rows(); ++k) {
    const double answer = probability(trained.network, training.row(k));
    loss -= std::log(training.targets[k] == 1 ? answer : 1 - answer) / static_cast<double>(training.rows());
  }
  EXPECT_NEAR(trained.epochs[best].loss, loss, 1e-12);
}

TEST_F(TrainTest, KeepsTheEpochThatAgreesBest) {
  const Examples training = two_clouds(400, 1.0, 5);
  Examples ratings = two_clouds(300, 1.0, 6);
  Random random(7);
  for (double& rating : ratings.targets) rating = std::round(2 * rating + random.normal());
  const TrainOptions options{.hidden = {10}, .rate = 0.03, .batch = 50, .stop_after = 8};
  const Trained with = train(training, ratings, options, pool_);
  expect_kept_is_best(with, training, ratings);
  EXPECT_EQ(with.epochs.size() - 1, with.best + 8);
  EXPECT_GT(with.epochs[with.best].tau_b, 0.2);
  // People who rate the other way round are agreed with less and less.
  for (double& rating : ratings.targets) rating = -rating;
  const Trained against = train(training, ratings, options, pool_);
  expect_kept_is_best(against, training, ratings);
  EXPECT_EQ(against.epochs.size() - 1, against.best + 8);
  EXPECT_LT(against.best, with.best);
}

// One input and one rising answer: tau-b is 1 from the first epoch on, so that nothing is gained after it.
TEST_F(TrainTest, HalvesTheRateAndStops) {
  const Trained trained =
      train(staircase(200, false), staircase(50, true),
            {.hidden = {}, .rate = 0.125, .batch = 1, .halve_after = 3, .stop_after = 8}, pool_);
  EXPECT_EQ(trained.best, 1u);
  std::vector<double> rates;
  for (const Epoch& epoch : trained.epochs) rates.push_back(epoch.rate / 0.125);
  EXPECT_EQ(rates, (std::vector<double>{1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25}));
  for (std::size_t k = 1; k < trained.epochs.size(); ++k) EXPECT_DOUBLE_EQ(trained.epochs[k].tau_b, 1.0);
}

TEST_F(TrainTest, RunsToTheEndIfNothingStopsIt) {
  std::size_t told = 0;
  const TrainOptions options{
      .hidden = {}, .batch = 1000, .most_epochs = 30, .halve_after = 0, .stop_after = 0};
  const Trained trained =
      train(staircase(20, false), staircase(20, true), options, pool_, [&](const Epoch& epoch) {
        ++told;
        EXPECT_EQ(epoch.rate, options.rate);
      });
  EXPECT_EQ(trained.epochs.size(), 31u);
  EXPECT_EQ(told, 31u);
}

TEST_F(TrainTest, ALossNearZeroKeepsItsDigits) {
  const Examples far{.inputs = 1, .values = {-1000, 1000}, .targets = {0, 1}};
  const Trained trained =
      train_on(far, {.hidden = {}, .rate = 0.1, .l2 = 0, .most_epochs = 60, .stop_after = 0});
  EXPECT_EQ(trained.epochs.back().accuracy, 1.0);
  EXPECT_GE(trained.epochs.back().loss, 0.0);
  EXPECT_LT(trained.epochs.back().loss, 1e-30);
}

TEST(Accuracy, OneHalfIsOnNoSide) {
  const Network network{{{.inputs = 1, .outputs = 2, .weights = {0, 1}, .biases = {0, 0}}}};
  const Examples examples{.inputs = 1, .values = {-1, 0, 0, 2, 3}, .targets = {0, 0, 1, 1, 0}};
  EXPECT_DOUBLE_EQ(accuracy(network, examples), 2.0 / 5);
}

// Kingma and Ba's formulas with the gradients 0.1, -0.2, 0 and 0.5, rate 0.01, worked out with 30 digits.
TEST(AdamSteps, AreThoseOfTheFormulas) {
  Network network{{{.inputs = 1, .outputs = 2, .weights = {1, 3}, .biases = {1, -1}}}};
  Network gradient = network;
  Adam adam;
  const double slopes[] = {0.1, -0.2, 0.0, 0.5};
  const double expected[] = {0.990000001, 0.993661036038849, 0.996491026694426, 0.992130618426095};
  for (int step = 0; step < 4; ++step) {
    gradient.layers[0].weights = {static_cast<float>(slopes[step]), 0};
    gradient.layers[0].biases = {static_cast<float>(slopes[step]), static_cast<float>(-slopes[step])};
    adam.step(network, gradient, 0.01);
    EXPECT_NEAR(network.layers[0].weights[0], expected[step], 2e-7) << step;
    EXPECT_NEAR(network.layers[0].biases[0], expected[step], 2e-7) << step;
    EXPECT_NEAR(network.layers[0].biases[1], -expected[step], 2e-7) << step;
    EXPECT_EQ(network.layers[0].weights[1], 3.0f) << step;
  }
}

// A linear network with all weights 0 answers one half: the slope is the mean of (1/2 - target) times the
// input.
TEST(Gradient, OfAnUntrainedLineByHand) {
  ThreadPool pool(1);
  const Examples examples{.inputs = 2, .values = {1, 2, 3, -4, 5, 6}, .targets = {1, 0, 1}};
  Network zero{{{.inputs = 2, .outputs = 2, .weights = {0, 0, 0, 0}, .biases = {0, 0}}}};
  BatchGradient gradient(examples, pool);
  const Layer all = gradient.of(zero, std::vector<std::uint32_t>{0, 1, 2}, 0.5).layers[0];
  EXPECT_EQ(all.weights, (std::vector<float>{0.5f, 2, -0.5f, -2}));
  EXPECT_FLOAT_EQ(all.biases[0], 0.5f / 3);
  EXPECT_FLOAT_EQ(all.biases[1], -0.5f / 3);
  const Layer two = gradient.of(zero, std::vector<std::uint32_t>{2, 1}, 0.5).layers[0];
  EXPECT_EQ(two.weights, (std::vector<float>{0.5f, 2.5f, -0.5f, -2.5f}));
  zero.layers[0].biases = {3, 3};  // on biases there is no L2
  EXPECT_EQ(gradient.of(zero, std::vector<std::uint32_t>{2, 1}, 0.5).layers[0].biases,
            (std::vector<float>{0, 0}));
}

TEST_F(TrainTest, SaysWhatIsWrongWithTheExamples) {
  const Examples good = staircase(4, false);
  const Examples rated = staircase(4, true);
  const auto problem = [&](const Examples& training, const Examples& validation) {
    return message_of<DataError>([&] { train(training, validation, {}, pool_); });
  };
  EXPECT_EQ(problem({.inputs = 1, .values = {}, .targets = {}}, rated),
            "there are no training captions; composite training needs some");
  EXPECT_EQ(problem(good, {.inputs = 1, .values = {}, .targets = {}}),
            "there are no validation captions; composite training needs some");
  Examples bad = good;
  bad.targets = {1, 1, 1, 1};
  EXPECT_EQ(problem(bad, rated),
            "all 4 training captions are human; composite training needs machine captions too");
  bad.targets = {0, 0, 0, 0};
  EXPECT_EQ(problem(bad, rated),
            "all 4 training captions are machine; composite training needs human captions too");
  bad.targets = {0, 1, 0.5, 0};
  EXPECT_EQ(problem(bad, rated),
            "training caption 3: found the target 0.5, expected 1 (human) or 0 (machine)");
  bad = rated;
  bad.targets = {2, 2, 2, 2};
  EXPECT_EQ(
      problem(good, bad),
      "all 4 validation ratings are 2; the training is stopped by agreement with ratings, which must differ");
  bad.targets = {2, kNan, 2, 2};
  EXPECT_EQ(problem(good, bad), "validation caption 2: found the rating nan, expected a finite number");
  bad = {.inputs = 2, .values = {1, 2, 3, kNan}, .targets = {1, 0}};
  EXPECT_EQ(problem(bad, rated), "training caption 2, input 2: found nan, expected a finite number");
  bad.values = {1, 1e39, 3, 4};  // no float
  EXPECT_EQ(problem(good, bad), "validation caption 1, input 2: found 1e+39, expected a finite number");
  bad.values = {1, 2, 3, 4};
  EXPECT_EQ(
      problem(bad, rated),
      "training captions have 2 inputs and validation captions 1; make both with the same list of scores");
  bad.values = {1, 2, 3};
  EXPECT_EQ(problem(bad, rated), "2 training captions with 2 inputs each have 3 numbers");
}

TEST_F(TrainTest, SaysThatNothingWasTold) {
  const Examples alike{.inputs = 1, .values = {1, 1, 1}, .targets = {1, 2, 3}};
  EXPECT_EQ(message_of<DataError>([&] {
              train(kXor, {.inputs = 2, .values = {1, 1, 1, 1}, .targets = {1, 2}}, {}, pool_);
            }),
            "after none of 20 epochs did the network's answers to the 2 validation captions differ; try "
            "another seed "
            "or a lower rate");
  EXPECT_THROW(train(staircase(4, false), alike, {.most_epochs = 2}, pool_), DataError);
}

TEST_F(TrainTest, RefusesOptionsThatMakeNoSense) {
  const auto problem = [&](const TrainOptions& options) {
    return message_of<UsageError>([&] { train_on(staircase(4, false), options); });
  };
  EXPECT_EQ(problem({.rate = 0}), "composite training: the rate must be above 0");
  EXPECT_EQ(problem({.rate = kNan}), "composite training: the rate must be above 0");
  EXPECT_EQ(problem({.l2 = -1}), "composite training: l2 must be 0 or above");
  EXPECT_EQ(problem({.batch = 0}), "composite training: a batch needs at least one caption");
  EXPECT_EQ(problem({.most_epochs = 0}), "composite training: at least one epoch is needed");
  EXPECT_EQ(problem({.hidden = {3, 0}}), "composite training: a hidden layer needs at least one unit");
}

// P(human) is above one half where the number is above `threshold`.
Network threshold_at(float threshold) {
  return {{Layer{.inputs = 1, .outputs = 2, .weights = {0, 1}, .biases = {0, -threshold}}}};
}

TEST(SeesOneClass, LooksAtBothSides) {
  const Examples examples{.inputs = 1, .values = {1, 2, 3}, .targets = {0, 1, 1}};
  EXPECT_TRUE(sees_one_class(threshold_at(0.5), examples));
  EXPECT_FALSE(sees_one_class(threshold_at(1.5), examples));
  EXPECT_FALSE(sees_one_class(threshold_at(2.5), examples));
  EXPECT_TRUE(sees_one_class(threshold_at(3.5), examples));
  EXPECT_FALSE(sees_one_class(threshold_at(0.5), {.inputs = 1, .values = {}, .targets = {}}));
}

}  // namespace
}  // namespace capella::method::composite
