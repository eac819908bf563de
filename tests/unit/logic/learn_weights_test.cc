// Expected numbers are those of the worked example and the known answers of the specification, both computed
// by other programs.
#include "logic/learn/learn_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/random.h"
#include "base/thread_pool.h"
#include "logic/learn/likelihood.h"
#include "logic/learn/pseudo_likelihood.h"
#include "logic/learn/pseudo_likelihood_margins.h"
#include "support/message_of.h"
#include "support/small_worlds.h"

namespace capella::logic {
namespace {

using test::message_of;
using test::riders;
using test::SmallWorld;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<std::uint32_t> kAll = {0, 1, 2};

WeightOptions options_with(Optimiser optimiser, double prior_sd) {
  WeightOptions options;
  options.optimiser = optimiser;
  options.prior_sd = prior_sd;
  return options;
}

LearnedWeights learn(const SmallWorld& world, const WeightOptions& options) {
  const std::vector<TrainingWorld> worlds = {world.world()};
  return learn_weights(worlds, options);
}

// Value and gradient at some weights.
double evaluate(const SmallWorld& world, const std::vector<double>& weights, std::vector<double>& gradient) {
  ThreadPool pool(1);
  const std::vector<TrainingWorld> worlds = {world.world()};
  const PseudoRows rows = collect_rows(worlds, false, pool);
  std::vector<std::uint32_t> active;
  for (std::uint32_t i = 0; i < weights.size(); ++i) active.push_back(i);
  gradient.resize(weights.size());
  const PseudoLikelihood function(rows, active, false, pool);
  return function.evaluate(weights, gradient) + function.constant();
}

void expect_near_all(const std::vector<double>& found, const std::vector<double>& expected,
                     double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST(LearnWeights, ValueAndGradientOfTheWorkedExample) {
  std::vector<double> gradient;
  const std::vector<double> weights = {.8, -.4, -.3};
  EXPECT_NEAR(evaluate(riders(), weights, gradient), -2.175401968289, 1e-12);
  expect_near_all(gradient, {0.261171856072, -0.048853662800, -0.900332005375}, 1e-12);
  EXPECT_NEAR(evaluate(riders(), {.5, .5, 0}, gradient), -2.793747539776, 1e-12);
}

TEST(LearnWeights, OneStepOfGradientAscent) {
  WeightOptions options = options_with(Optimiser::gradient_ascent, kInfinity);
  options.step = .1;
  options.most_iterations = 1;
  const LearnedWeights learned = learn(riders(), options);
  expect_near_all(learned.weights, {0.826117185607, -0.404885366280, -0.390033200538}, 1e-12);
  EXPECT_NEAR(learned.log_likelihood, -2.090511856268, 1e-12);
  EXPECT_EQ(learned.iterations, 1U);
  EXPECT_FALSE(learned.converged);
}

TEST(LearnWeights, OptimumOfTheWorkedExample) {
  const std::vector<double> expected = {0.448129303869, 0.058323671106, -0.635403454567};
  const LearnedWeights newton = learn(riders(), options_with(Optimiser::newton, 1));
  expect_near_all(newton.weights, expected, 1e-12);
  EXPECT_NEAR(newton.objective, -2.345038435862, 1e-12);
  EXPECT_TRUE(newton.converged);
  const LearnedWeights lbfgs = learn(riders(), options_with(Optimiser::lbfgs, 1));
  expect_near_all(lbfgs.weights, expected, 1e-9);
  EXPECT_TRUE(lbfgs.converged);
  EXPECT_LE(lbfgs.gradient_max, 1e-10 * std::max(1., -lbfgs.log_likelihood));
  const LearnedWeights ascent = learn(riders(), options_with(Optimiser::gradient_ascent, 1));
  expect_near_all(ascent.weights, expected, 1e-5);
  EXPECT_TRUE(ascent.converged);
  EXPECT_EQ(lbfgs.atoms, 4U);
  EXPECT_EQ(lbfgs.rows, 3U);  // c has none
  EXPECT_EQ(lbfgs.nonzeros, 6U);
}

TEST(LearnWeights, SmokingDatabase) {
  const SmallWorld world = test::SmokingDatabase().world();
  ASSERT_EQ(world.network.atoms(), 80U);
  std::vector<double> gradient;
  EXPECT_NEAR(evaluate(world, {0, 0}, gradient), -80 * std::numbers::ln2, 1e-12);
  for (const Optimiser optimiser : {Optimiser::lbfgs, Optimiser::newton}) {
    const LearnedWeights open = learn(world, options_with(optimiser, kInfinity));
    expect_near_all(open.weights, {0.6466959750, 1.5199001010}, 1e-9);
    EXPECT_NEAR(open.log_likelihood, -44.3455210851, 1e-9);
    EXPECT_TRUE(open.converged);
    const LearnedWeights held = learn(world, options_with(optimiser, 1));
    expect_near_all(held.weights, {0.3807717519, 1.2913664202}, 1e-9);
  }
}

TEST(LearnWeights, StandardErrorsAreTheCurvature) {
  // One formula, one coin: true in 3 of 4 worlds. The information is n p (1 - p).
  SmallWorld coin;
  coin.network.formulas.push_back({"Heads(x)", 0, 1});
  coin.network.add_atom("Heads(A)");
  const Literal heads(0);
  coin.network.add(GroundFormula::Kind::conjunction, 0, 1, std::span(&heads, 1));
  std::vector<TrainingWorld> worlds;
  for (int k = 0; k < 40; ++k) worlds.push_back({"w", &coin.network, {k % 4 != 0}});
  WeightOptions options = options_with(Optimiser::lbfgs, kInfinity);
  const LearnedWeights few = learn_weights(std::span(worlds).first(20), options);
  EXPECT_NEAR(few.weights[0], std::log(3), 1e-9);
  EXPECT_NEAR(few.standard_errors[0], 1 / std::sqrt(20 * .75 * .25), 1e-9);
  EXPECT_NE(few.errors_from.find("Laplace"), std::string::npos);
  // Independent coins: the sandwich is the same up to n / (n - 1).
  const LearnedWeights many = learn_weights(worlds, options);
  EXPECT_NEAR(many.standard_errors[0], 1 / std::sqrt(40 * .75 * .25) * std::sqrt(40. / 39), 1e-9);
  EXPECT_NE(many.errors_from.find("sandwich"), std::string::npos);
  options.intervals = false;
  EXPECT_TRUE(std::isnan(learn_weights(worlds, options).standard_errors[0]));
}

TEST(LearnWeights, SandwichCountsCopiesOfAWorldOnce) {
  // Two atoms that are always equal are one coin: curvature alone would be too sure by the root of two.
  SmallWorld pair;
  pair.network.formulas.push_back({"Heads(x)", 0, 1});
  for (AtomId atom = 0; atom < 2; ++atom) {
    const Literal heads(pair.network.add_atom("Heads"));
    pair.network.add(GroundFormula::Kind::conjunction, 0, 1, std::span(&heads, 1));
  }
  std::vector<TrainingWorld> worlds;
  for (int k = 0; k < 1000; ++k) worlds.push_back({"w", &pair.network, {k % 4 != 0, k % 4 != 0}});
  const LearnedWeights learned = learn_weights(worlds, options_with(Optimiser::lbfgs, kInfinity));
  EXPECT_NEAR(learned.standard_errors[0], 1 / std::sqrt(1000 * .75 * .25) * std::sqrt(1000. / 999), 1e-9);
}

TEST(LearnWeights, WeightsOfSampledWorldsComeBackWithinTheirErrors) {
  // Worlds of the riders drawn from the network itself, by its 16 probabilities.
  const std::array<double, 3> weights = {.8, -.4, -.3};
  const SmallWorld model = riders(weights);
  std::vector<double> cumulative;
  double z = 0;
  for (std::size_t world = 0; world < 16; ++world) {
    const bool a = world & 1, b = world & 2, c = world & 4, d = world & 8;
    z += std::exp(weights[0] * (a * b + c * d) + weights[1] * (b + d) + weights[2] * 2 * (b * d));
    cumulative.push_back(z);
  }
  EXPECT_NEAR(z, 15.214201968997, 1e-12);  // the specification's Z
  Random random(5);
  std::vector<TrainingWorld> worlds;
  for (int k = 0; k < 3000; ++k) {
    const auto drawn = std::ranges::upper_bound(cumulative, random.uniform() * z) - cumulative.begin();
    worlds.push_back(model.world());
    for (std::size_t atom = 0; atom < 4; ++atom) worlds.back().truth[atom] = (drawn >> atom) % 2 == 1;
  }
  for (const Objective objective : {Objective::pseudo_likelihood, Objective::likelihood}) {
    WeightOptions options;
    options.objective = objective;
    const LearnedWeights learned = learn_weights(worlds, options);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(learned.weights[i], weights[i], 3 * learned.standard_errors[i]) << i;
      EXPECT_LT(learned.standard_errors[i], .1) << i;
    }
  }
}

TEST(LearnWeights, IdleAndHardFormulas) {
  SmallWorld world = riders();
  world.network.formulas.push_back({"Gone(x)", 5, 4});
  world.network.formulas.push_back({"On(x,y) v Ride(x,y)", kHard, 5});
  const std::vector<Literal> clause = {Literal(0), Literal(1)};
  world.network.add(GroundFormula::Kind::clause, 4, 1, clause);
  const LearnedWeights learned = learn(world, options_with(Optimiser::newton, 1));
  EXPECT_NEAR(learned.weights[0], 0.448129303869, 1e-12);
  EXPECT_EQ(learned.weights[3], 0);
  EXPECT_EQ(learned.weights[4], kHard);
  EXPECT_EQ(learned.idle, (std::vector<bool>{false, false, false, true, false}));
  EXPECT_EQ(learned.standard_errors[3], 1);
  EXPECT_TRUE(std::isnan(learned.standard_errors[4]));
}

TEST(LearnWeights, ABrokenHardFormulaIsNamed) {
  SmallWorld world = riders();
  world.network.formulas.push_back({"!On(x,y) v Ride(x,y)", kHard, 4});
  const std::vector<Literal> clause = {!Literal(2), Literal(3)};
  world.network.add(GroundFormula::Kind::clause, 3, 1, clause);
  world.network.source = "rules.mln";
  const std::vector<TrainingWorld> worlds = {world.world("image 7")};
  const std::string message = message_of<DataError>([&] { learn_weights(worlds, {}); });
  EXPECT_NE(message.find("image 7"), std::string::npos) << message;
  EXPECT_NE(message.find("!On(x,y) v Ride(x,y)"), std::string::npos) << message;
  EXPECT_NE(message.find("rules.mln:4"), std::string::npos) << message;
  EXPECT_NE(message.find("!On(Woman,Bike), Ride(Woman,Bike)"), std::string::npos) << message;
}

// 400 of 2,000 coins are heads, and any number of atoms that no formula mentions stand beside them: at the
// optimum 400 - 2000 s(w) - w / 100 is 0, whatever these are. By bisection: -1.386250.
TEST(LearnWeights, UnmentionedAtomsDoNotDrownTheRest) {
  SmallWorld coins;
  coins.network.formulas.push_back({"Q(x)", 0, 1});
  for (int k = 0; k < 2'000; ++k) {
    const Literal heads(coins.network.add_atom("Q"));
    coins.network.add(GroundFormula::Kind::conjunction, 0, 1, std::span(&heads, 1));
    coins.truth.push_back(k % 5 == 0);
  }
  double low = -2, high = 0;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (400 - 2000 / (1 + std::exp(-middle)) - middle / 100 > 0 ? low : high) = middle;
  }
  EXPECT_NEAR(low, -1.38625, 1e-5);
  for (const double unmentioned : {0., 16e12, 1e24}) {
    coins.network.unmentioned_atoms = unmentioned;
    for (const Objective objective : {Objective::pseudo_likelihood, Objective::likelihood}) {
      WeightOptions options = options_with(Optimiser::lbfgs, 10);
      options.objective = objective;
      const LearnedWeights learned = learn(coins, options);
      EXPECT_TRUE(learned.converged);
      EXPECT_NEAR(learned.weights[0], low, 1e-8) << unmentioned;
      const double own = 400 * low - 2'000 * std::log1p(std::exp(low));
      EXPECT_NEAR(learned.log_likelihood, own - unmentioned * std::numbers::ln2, 1e-6 + 1e-12 * unmentioned);
      EXPECT_EQ(learned.atoms, 2'000U);
    }
  }
}

TEST(LearnWeights, ExactErrorsOfManyWeightsAreNotMade) {
  SmallWorld coins;
  for (std::uint32_t k = 0; k < 201; ++k) {
    coins.network.formulas.push_back({"Heads", 0, k + 1});
    const Literal heads(coins.network.add_atom("Heads"));
    coins.network.add(GroundFormula::Kind::conjunction, k, 1, std::span(&heads, 1));
    coins.truth.push_back(k % 2 == 0);
  }
  WeightOptions options = options_with(Optimiser::lbfgs, 1);
  options.objective = Objective::likelihood;
  const LearnedWeights learned = learn(coins, options);
  EXPECT_TRUE(learned.converged);
  EXPECT_TRUE(std::isnan(learned.standard_errors[0]));
  EXPECT_NE(learned.errors_from.find("none: "), std::string::npos) << learned.errors_from;
}

TEST(LearnWeights, WrongCalls) {
  EXPECT_THROW(learn_weights(std::span<const TrainingWorld>{}, {}), DataError);
  const SmallWorld nothing{};
  EXPECT_THROW(learn(nothing, {}), DataError);
  EXPECT_THROW(learn(riders(), options_with(Optimiser::lbfgs, 0)), UsageError);
  WeightOptions options = options_with(Optimiser::newton, 1);
  options.l1 = 1;
  EXPECT_THROW(learn(riders(), options), UsageError);
}

TEST(LearnWeights, L1DrivesWeightsToZero) {
  WeightOptions options = options_with(Optimiser::lbfgs, 1);
  options.l1 = 10;
  const LearnedWeights none = learn(riders(), options);
  EXPECT_EQ(none.weights, (std::vector<double>{0, 0, 0}));
  EXPECT_TRUE(none.converged);
  EXPECT_TRUE(std::isnan(none.standard_errors[0]));
  // With one weight the optimum is where gradient and penalty are equal: 10 (3/4 - s(w)) = 1.
  SmallWorld coin;
  coin.network.formulas.push_back({"Heads(x)", 0, 1});
  for (int k = 0; k < 40; ++k) {
    const Literal heads(coin.network.add_atom("Heads"));
    coin.network.add(GroundFormula::Kind::conjunction, 0, 1, std::span(&heads, 1));
    coin.truth.push_back(k % 4 != 0);
  }
  options.prior_sd = kInfinity;
  options.l1 = 2;
  EXPECT_NEAR(learn(coin, options).weights[0], std::log(.7 / .3), 1e-9);
}

TEST(LearnWeights, TermsPerPredicate) {
  // Three coins of one kind, one of another, one formula for all: each kind weighs the same.
  SmallWorld coins;
  coins.network.formulas.push_back({"Heads", 0, 1});
  for (const char* name : {"A(X)", "A(Y)", "A(Z)", "B(X)"}) {
    const Literal heads(coins.network.add_atom(name));
    coins.network.add(GroundFormula::Kind::conjunction, 0, 1, std::span(&heads, 1));
  }
  coins.truth = {true, true, true, false};
  WeightOptions options = options_with(Optimiser::newton, kInfinity);
  EXPECT_NEAR(learn(coins, options).weights[0], std::log(3), 1e-9);
  options.per_predicate = true;
  const LearnedWeights learned = learn(coins, options);
  EXPECT_NEAR(learned.weights[0], 0, 1e-9);
  EXPECT_NEAR(learned.log_likelihood, -2 * std::numbers::ln2, 1e-9);
}

TEST(LearnWeights, ThreadsChangeNothing) {
  const SmallWorld world = riders();
  Random random(1);
  std::vector<TrainingWorld> worlds;
  for (int k = 0; k < 500; ++k) {
    worlds.push_back(world.world());
    for (std::size_t atom = 0; atom < 4; ++atom) worlds.back().truth[atom] = random.below(2) == 1;
  }
  WeightOptions options;
  const LearnedWeights one = learn_weights(worlds, options);
  options.threads = 3;
  const LearnedWeights three = learn_weights(worlds, options);
  EXPECT_EQ(one.weights, three.weights);
  EXPECT_EQ(one.standard_errors, three.standard_errors);
  EXPECT_EQ(one.objective, three.objective);
}

TEST(LearnWeights, LikelihoodOfIndependentAtomsIsPseudoLikelihood) {
  SmallWorld world = riders();
  // Without the third formula the rider's atoms are coupled, so the two objectives differ; alone they agree.
  WeightOptions options = options_with(Optimiser::lbfgs, 1);
  options.objective = Objective::likelihood;
  const LearnedWeights exact = learn(world, options);
  EXPECT_TRUE(exact.converged);
  EXPECT_GT(std::fabs(exact.weights[0] - 0.448129303869), 1e-3);
  SmallWorld coins;
  coins.network.formulas.push_back({"Heads", 0, 1});
  for (int k = 0; k < 4; ++k) {
    const Literal heads(coins.network.add_atom("Heads"));
    coins.network.add(GroundFormula::Kind::conjunction, 0, 1, std::span(&heads, 1));
    coins.truth.push_back(k > 0);
  }
  options.prior_sd = kInfinity;
  const LearnedWeights learned = learn(coins, options);
  EXPECT_NEAR(learned.weights[0], std::log(3), 1e-9);
  EXPECT_NEAR(learned.log_likelihood, 3 * std::log(.75) + std::log(.25), 1e-9);
  EXPECT_NEAR(learned.standard_errors[0], 1 / std::sqrt(.75), 1e-6);
}

TEST(LogisticLosses, AgreeWithTheLibraryOverAllSizes) {
  std::vector<double> margins = {0, -0., 1e-300, 1e4, -1e4, 708, -708, 709, 1e308, -1e308};
  Random random(3);
  for (int k = 0; k < 20'000; ++k)
    margins.push_back((random.uniform() - .5) * std::pow(10., random.uniform() * 8 - 4));
  std::vector<double> losses(margins.size());
  std::vector<double> shortfalls(margins.size());
  logistic_losses(margins.data(), margins.size(), losses.data(), shortfalls.data());
  for (const LossKernel& kernel : loss_kernels()) {
    std::vector<double> same_losses(margins.size()), same_shortfalls(margins.size());
    kernel.find(margins.data(), margins.size(), same_losses.data(), same_shortfalls.data());
    EXPECT_EQ(same_losses, losses) << kernel.name;
    EXPECT_EQ(same_shortfalls, shortfalls) << kernel.name;
  }
  for (std::size_t k = 0; k < margins.size(); ++k) {
    const long double u = margins[k];
    const long double loss = u > 0 ? std::log1p(std::exp(-u)) : std::log1p(std::exp(u)) - u;
    const long double shortfall = 1 / (1 + std::exp(u));
    EXPECT_NEAR(losses[k], static_cast<double>(loss), 1e-300 + 1e-15 * static_cast<double>(loss))
        << margins[k];
    EXPECT_NEAR(shortfalls[k], static_cast<double>(shortfall),
                1e-300 + 1e-15 * static_cast<double>(shortfall))
        << margins[k];
  }
}

// A likelihood that is a number only up to some weight.
class Cliff : public LogLikelihood {
 public:
  Cliff(double edge, double value) : edge_(edge), value_(value) {}
  std::size_t size() const override { return 1; }
  double evaluate(std::span<const double> weights, std::span<double> gradient) const override {
    const bool beyond = !(weights[0] < edge_);
    gradient[0] = beyond ? std::nan("") : 1;
    return beyond ? value_ : weights[0];
  }
  std::vector<double> information(std::span<const double> weights) const override {
    return {weights[0] < edge_ ? 0 : std::nan("")};
  }
  std::vector<double> information_diagonal(std::span<const double> weights) const override {
    return information(weights);
  }
  double curvature_bound() const override { return 1; }

 private:
  double edge_, value_;
};

TEST(LearnWeights, WhatIsNoNumberIsNoSuccess) {
  for (const Optimiser optimiser : {Optimiser::lbfgs, Optimiser::newton, Optimiser::gradient_ascent}) {
    for (const double value : {kInfinity, -kInfinity, std::nan("")}) {
      OptimiserOptions options;
      options.optimiser = optimiser;
      options.prior_sd = kInfinity;
      const std::vector<double> start = {1};
      const std::string message = message_of<DataError>([&] { maximise(Cliff(0, value), start, options); });
      EXPECT_NE(message.find("at the first weights"), std::string::npos) << message;
      try {
        EXPECT_FALSE(maximise(Cliff(7.5, value), start, options).converged);
      } catch (const DataError&) {  // as good
      }
    }
  }
}

}  // namespace
}  // namespace capella::logic
