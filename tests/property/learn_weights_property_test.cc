// Pseudo-likelihood and likelihood of random ground networks against their slow twins.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/thread_pool.h"
#include "logic/learn/learn_weights.h"
#include "logic/learn/likelihood.h"
#include "logic/learn/pseudo_likelihood.h"
#include "reference/pseudo_likelihood_reference.h"
#include "support/small_worlds.h"

namespace capella::test {
namespace {

using logic::GroundFormula;
using logic::Literal;

// One literal is as the world has it, so that a hard clause holds.
std::vector<Literal> some_literals(const std::vector<bool>& world) {
  const auto size = *rc::gen::inRange<std::size_t>(1, std::min<std::size_t>(4, world.size()) + 1);
  std::set<logic::AtomId> atoms;
  while (atoms.size() < size)
    atoms.insert(*rc::gen::inRange<logic::AtomId>(0, static_cast<logic::AtomId>(world.size())));
  std::vector<Literal> literals;
  for (const logic::AtomId atom : atoms)
    literals.emplace_back(atom, literals.empty() ? bool(world[atom]) : *rc::gen::arbitrary<bool>());
  return literals;
}

SmallWorld random_world(std::size_t formulas, bool hard) {
  SmallWorld out;
  for (std::size_t k = 0; k < formulas; ++k) out.network.formulas.push_back({"f", 0, k + 1});
  if (hard) out.network.formulas.push_back({"hard", logic::kHard, 0});
  const auto atoms = *rc::gen::inRange<std::size_t>(1, 8);
  for (std::size_t k = 0; k < atoms; ++k) {
    out.network.add_atom("P(" + std::to_string(k) + ")");
    out.truth.push_back(*rc::gen::arbitrary<bool>());
  }
  const auto groundings = *rc::gen::inRange<std::size_t>(1, 15);
  for (std::size_t k = 0; k < groundings; ++k) {
    const auto formula =
        *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(out.network.formulas.size()));
    const bool is_hard = formula == formulas;
    const bool clause = is_hard || *rc::gen::arbitrary<bool>();
    out.network.add(clause ? GroundFormula::Kind::clause : GroundFormula::Kind::conjunction, formula,
                    is_hard ? 1. : *rc::gen::element(1., 2., -1., .5), some_literals(out.truth));
  }
  return out;
}

std::vector<double> random_weights(std::size_t count, double scale) {
  std::vector<double> weights;
  for (std::size_t k = 0; k < count; ++k) weights.push_back(*rc::gen::inRange(-1000, 1001) / 1000. * scale);
  return weights;
}

bool learn_weights_near(double a, double b, double tolerance = 1e-11) {
  return std::fabs(a - b) <= tolerance * std::max({1., std::fabs(a), std::fabs(b)});
}

TEST(PseudoLikelihoodProperty, AgreesWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("value, gradient, curvature", [] {
    const std::size_t formulas = 4;
    ThreadPool pool(*rc::gen::inRange<std::size_t>(1, 3));
    std::vector<SmallWorld> worlds;
    const auto count = *rc::gen::inRange<std::size_t>(1, 5);
    const bool hard = *rc::gen::arbitrary<bool>();
    for (std::size_t k = 0; k < count; ++k) worlds.push_back(random_world(formulas, hard));
    std::vector<logic::TrainingWorld> training;
    for (const SmallWorld& world : worlds) training.push_back(world.world());
    const logic::PseudoRows rows = logic::collect_rows(training, false, pool);
    const std::vector<std::uint32_t> active = {0, 1, 2, 3};
    const logic::PseudoLikelihood function(rows, active, false, pool);
    const std::vector<double> weights = random_weights(formulas, *rc::gen::element(0., 1., 1000.));

    double value = 0;
    std::vector<double> gradient(formulas);
    std::vector<std::vector<double>> scores;
    for (const SmallWorld& world : worlds) {
      std::vector<double> all = weights;
      if (hard) all.push_back(0);
      const auto slow = reference::pseudo_likelihood(world.network, world.truth, all);
      value += slow.value;
      for (std::size_t i = 0; i < formulas; ++i) gradient[i] += slow.gradient[i];
      scores.push_back(slow.gradient);
    }
    std::vector<double> fast(formulas);
    RC_ASSERT(learn_weights_near(function.evaluate(weights, fast) + function.constant(), value));
    for (std::size_t i = 0; i < formulas; ++i) RC_ASSERT(learn_weights_near(fast[i], gradient[i]));

    std::size_t world = 0;
    function.for_each_world(weights, [&](std::span<const logic::RowEntry> score) {
      std::vector<double> dense(formulas);
      for (const logic::RowEntry& entry : score) dense[entry.formula] = entry.change;
      for (std::size_t i = 0; i < formulas; ++i) RC_ASSERT(learn_weights_near(dense[i], scores[world][i]));
      ++world;
    });
    RC_ASSERT(world == worlds.size());
  }));
}

TEST(PseudoLikelihoodProperty, DerivativesAreThoseOfTheValue) {
  EXPECT_TRUE(rc::check("central differences", [] {
    const std::size_t formulas = 3;
    ThreadPool pool(1);
    const SmallWorld world = random_world(formulas, false);
    const std::vector<logic::TrainingWorld> training = {world.world()};
    const logic::PseudoRows rows = logic::collect_rows(training, false, pool);
    const std::vector<std::uint32_t> active = {0, 1, 2};
    const logic::PseudoLikelihood function(rows, active, false, pool);
    const std::vector<double> weights = random_weights(formulas, 1);
    std::vector<double> gradient(formulas), up(formulas), down(formulas);
    function.evaluate(weights, gradient);
    const std::vector<double> information = function.information(weights);
    const std::vector<double> diagonal = function.information_diagonal(weights);
    double trace = 0;
    for (std::size_t i = 0; i < formulas; ++i) {
      std::vector<double> moved = weights;
      moved[i] += 1e-5;
      const double above = function.evaluate(moved, up);
      moved[i] -= 2e-5;
      const double below = function.evaluate(moved, down);
      RC_ASSERT(learn_weights_near((above - below) / 2e-5, gradient[i], 1e-7));
      for (std::size_t j = i; j < formulas; ++j)
        RC_ASSERT(learn_weights_near((down[j] - up[j]) / 2e-5, information[j * formulas + i], 1e-7));
      RC_ASSERT(learn_weights_near(diagonal[i], information[i * formulas + i]));
      trace += diagonal[i];
    }
    RC_ASSERT(trace <= function.curvature_bound() + 1e-12);
  }));
}

TEST(LikelihoodProperty, AgreesWithEnumeration) {
  EXPECT_TRUE(rc::check("value and gradient", [] {
    const std::size_t formulas = 3;
    ThreadPool pool(1);
    const bool hard = *rc::gen::arbitrary<bool>();
    const SmallWorld first = random_world(formulas, hard);
    const SmallWorld second = random_world(formulas, hard);
    const std::vector<logic::TrainingWorld> training = {first.world(), second.world(), first.world()};
    const logic::Likelihood function(training, pool);
    const std::vector<double> weights = random_weights(formulas, *rc::gen::element(0., 1., 4.));
    std::vector<double> own;
    for (const std::uint32_t i : function.active()) own.push_back(weights[i]);
    std::vector<double> gradient(own.size());
    const double value = function.evaluate(own, gradient) + function.constant();
    std::vector<double> all = weights;
    if (hard) all.push_back(0);
    const auto one = reference::likelihood(first.network, first.truth, all);
    const auto other = reference::likelihood(second.network, second.truth, all);
    RC_ASSERT(learn_weights_near(value, 2 * one.value + other.value));
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::uint32_t i = function.active()[k];
      RC_ASSERT(learn_weights_near(gradient[k], 2 * one.gradient[i] + other.gradient[i]));
    }
  }));
}

TEST(LearnWeightsProperty, OptimisersAgree) {
  EXPECT_TRUE(rc::check("the same optimum from all", [] {
    const SmallWorld first = random_world(3, false);
    const SmallWorld second = random_world(3, false);
    const std::vector<logic::TrainingWorld> training = {first.world(), second.world()};
    logic::WeightOptions options;
    options.prior_sd = *rc::gen::element(.5, 1., 3.);
    options.objective = *rc::gen::element(logic::Objective::pseudo_likelihood, logic::Objective::likelihood);
    const logic::LearnedWeights lbfgs = logic::learn_weights(training, options);
    RC_ASSERT(lbfgs.converged);
    options.optimiser = logic::Optimiser::newton;
    const logic::LearnedWeights newton = logic::learn_weights(training, options);
    RC_ASSERT(newton.converged);
    options.optimiser = logic::Optimiser::gradient_ascent;
    const logic::LearnedWeights ascent = logic::learn_weights(training, options);
    for (std::size_t i = 0; i < 3; ++i) {
      RC_ASSERT(learn_weights_near(lbfgs.weights[i], newton.weights[i], 1e-7));
      RC_ASSERT(learn_weights_near(lbfgs.weights[i], ascent.weights[i], 2e-2));
      RC_ASSERT(lbfgs.idle[i] == newton.idle[i]);
    }
    RC_ASSERT(learn_weights_near(lbfgs.objective, newton.objective, 1e-10));
    RC_ASSERT(ascent.objective <= newton.objective + 1e-10);
  }));
}

}  // namespace
}  // namespace capella::test
