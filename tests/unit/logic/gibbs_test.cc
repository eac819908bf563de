// Gibbs sampling where the answers are known in closed form, hard formulas, stopping, and the published
// conditional.
#include "logic/gibbs/gibbs.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "logic/gibbs/gibbs_sample.h"
#include "logic/gibbs/gibbs_segments.h"
#include "logic/gibbs/gibbs_sum_exp.h"
#include "support/random_factor_graph.h"

namespace capella::test {
namespace {

using logic::AtomId;
using logic::FactorGraph;
using logic::GibbsOptions;
using logic::GibbsResult;
using logic::GroundFormula;
using logic::GroundNetwork;
using logic::Literal;
using logic::sample;

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

// 30 people: 0.5 !S(x) v C(x), 0.3 !S(x) v !F(x,y) v S(y), -0.7 F(x,y), -0.2 S(x). Atoms S, C, F.
constexpr AtomId kPeople = 30;

AtomId friends(AtomId x, AtomId y) {
  return 2 * kPeople + kPeople * x + y;
}

FactorGraph smokers() {
  FactorGraph graph;
  graph.log_odds.assign(2 * kPeople + kPeople * kPeople, -0.7);
  for (AtomId x = 0; x < kPeople; ++x) {
    graph.log_odds[x] = -0.2;
    graph.log_odds[kPeople + x] = 0;
    add_factor(graph, {Literal(x), Literal(kPeople + x, false)}, -0.5);
    for (AtomId y = 0; y < kPeople; ++y) {
      if (x != y) add_factor(graph, {Literal(x), Literal(friends(x, y)), Literal(y, false)}, -0.3);
    }
  }
  return graph;
}

TEST(Gibbs, SmokersWithinFiveStandardErrors) {
  const GibbsResult result = sample(smokers(), {});
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.rhat_max, 1.1);
  EXPECT_GE(result.ess_min, 2'500);
  const auto expect = [&](AtomId atom, double exact) {
    EXPECT_GT(result.mcse[atom], 0);
    EXPECT_LT(result.mcse[atom], 0.02);
    EXPECT_NEAR(result.marginals[atom], exact, 5 * result.mcse[atom] + 1e-6) << atom;
  };
  for (AtomId x = 0; x < kPeople; ++x) {
    expect(x, .0671606419);
    expect(kPeople + x, .5082244473);
    expect(friends(x, x), .3318122278);
    expect(friends(x, (x + 1) % kPeople), .3279624797);
  }
}

TEST(Gibbs, ThreadsAndGroupsOfChains) {
  GibbsOptions options;
  options.chains = 40;
  options.most_sweeps = 300;
  const GibbsResult one = sample(smokers(), options);
  options.threads = 2;
  const GibbsResult two = sample(smokers(), options);
  EXPECT_EQ(one.chains, 48u);
  EXPECT_EQ(one.marginals, two.marginals);
  EXPECT_EQ(one.mcse, two.mcse);
  EXPECT_EQ(one.rhat, two.rhat);
  options.seed = 1;
  EXPECT_NE(sample(smokers(), options).marginals, one.marginals);
}

TEST(Gibbs, FreeVariablesAreKnownExactly) {
  FactorGraph graph;
  graph.log_odds = {0, 1, -20, 200, -200};
  const GibbsResult result = sample(graph, {});
  for (std::size_t v = 0; v < 5; ++v) {
    EXPECT_NEAR(result.marginals[v], 1 / (1 + std::exp(-graph.log_odds[v])), 2e-6);
    EXPECT_LE(result.mcse[v], 1e-6);
    EXPECT_LE(result.rhat[v], 1.01);
  }
  EXPECT_TRUE(result.converged);
}

TEST(Gibbs, NoVariables) {
  const GibbsResult result = sample(FactorGraph{}, {});
  EXPECT_TRUE(result.converged);
  EXPECT_TRUE(result.marginals.empty());
}

TEST(Gibbs, HardClauses) {
  FactorGraph graph;  // a v b, and c => d: 2/3 2/3 1/3 2/3
  graph.log_odds.assign(4, 0);
  add_factor(graph, {Literal(0, false), Literal(1, false)}, kForbidden);
  add_factor(graph, {Literal(2), Literal(3, false)}, kForbidden);
  for (const bool blocks : {false, true}) {
    GibbsOptions options;
    options.blocks = blocks;
    const GibbsResult result = sample(graph, options, {{Literal(0, false)}, {Literal(1, false)}});
    const double exact[] = {2. / 3, 2. / 3, 1. / 3, 2. / 3};
    for (std::size_t v = 0; v < 4; ++v) {
      EXPECT_NEAR(result.marginals[v], exact[v], 5 * result.mcse[v] + 1e-6);
    }
    EXPECT_EQ(result.query_seen, 0u);  // forbidden states are never visited
    EXPECT_EQ(result.query_p, 0);
  }
}

TEST(Gibbs, ManyHardClausesFromABadStart) {
  FactorGraph graph;  // a row of atoms that are inclined to be true, but no two neighbours may be
  graph.log_odds.assign(2'000, 1);
  for (AtomId v = 0; v + 1 < 2'000; ++v) add_factor(graph, {Literal(v), Literal(v + 1)}, kForbidden);
  GibbsOptions options;
  options.most_sweeps = 200;
  const GibbsResult result = sample(graph, options);
  for (AtomId v = 0; v + 1 < 2'000; ++v) EXPECT_LE(result.marginals[v] + result.marginals[v + 1], 1.001);
}

TEST(Gibbs, ContradictionsAreTold) {
  FactorGraph graph;
  graph.log_odds.assign(2, 0);
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) add_factor(graph, {Literal(0, a), Literal(1, b)}, kForbidden);
  }
  try {
    sample(graph, {});
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("contradict"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--method ptp"), std::string::npos);
  }
  graph.impossible = true;
  EXPECT_THROW(sample(graph, {}), DataError);
}

TEST(Gibbs, StuckChainsDoNotConverge) {
  FactorGraph graph;  // a <=> b, hard: a single draw never leaves its world
  graph.log_odds.assign(2, 0);
  add_factor(graph, {Literal(0), Literal(1, false)}, kForbidden);
  add_factor(graph, {Literal(0, false), Literal(1)}, kForbidden);
  GibbsOptions options;
  options.most_sweeps = 500;
  const GibbsResult stuck = sample(graph, options);
  EXPECT_FALSE(stuck.converged);
  EXPECT_GT(stuck.rhat_max, 1.1);
  options.blocks = true;  // two atoms are a tree: drawn at once
  const GibbsResult moving = sample(graph, options);
  EXPECT_TRUE(moving.converged);
  EXPECT_NEAR(moving.marginals[0], 0.5, 5 * moving.mcse[0]);
}

// Ten atoms that want to be equal, with one slightly inclined to be true: two modes.
FactorGraph magnet(double strength) {
  FactorGraph graph;
  graph.log_odds.assign(10, 0);
  for (AtomId a = 0; a < 10; ++a) {
    for (AtomId b = a + 1; b < 10; ++b) {
      add_factor(graph, {Literal(a), Literal(b)}, strength);
      add_factor(graph, {Literal(a, false), Literal(b, false)}, strength);
    }
  }
  return graph;
}

TEST(Gibbs, TemperingMovesBetweenModes) {
  GibbsOptions options;
  options.most_sweeps = 4'000;
  const GibbsResult plain = sample(magnet(2), options);
  EXPECT_FALSE(plain.converged);
  options.temperatures = 6;
  options.hottest = 20;
  const GibbsResult tempered = sample(magnet(2), options);
  EXPECT_TRUE(tempered.converged) << tempered.rhat_max << " " << tempered.ess_min;
  EXPECT_GT(tempered.swap_rate, 0.1);
  EXPECT_LT(tempered.swap_rate, 1);
  for (std::size_t v = 0; v < 10; ++v) {
    EXPECT_NEAR(tempered.marginals[v], 0.5, 4 * tempered.mcse[v]);
    EXPECT_LT(tempered.mcse[v], 0.05);
  }
}

TEST(Gibbs, QueriesOverComponentsMultiply) {
  FactorGraph graph;
  graph.log_odds.assign(20, -2);  // all true: 0.1192^20, far too rare to be seen
  logic::Clauses query;
  for (AtomId v = 0; v < 20; ++v) query.push_back({Literal(v)});
  GibbsOptions options;
  options.least_ess_query = 20'000;
  const GibbsResult result = sample(graph, options, query);
  const double exact = -20 * std::log1p(std::exp(2.0));
  EXPECT_NEAR(std::log(result.query_p), exact, 4 * result.query_mcse / result.query_p);
  EXPECT_LT(result.query_mcse / result.query_p, 0.15);
}

TEST(Gibbs, QueryStopsWhenItIsKnownWellEnough) {
  FactorGraph graph;
  graph.log_odds = {1};
  const GibbsResult result = sample(graph, {}, {{Literal(0)}});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.sweeps, 100u);  // 1,600 draws, 400 are needed
  EXPECT_GE(result.query_ess, 400);
  EXPECT_EQ(result.query_p, static_cast<double>(result.query_seen) / 1'600);
}

TEST(Gibbs, ClausesAndFalseQueries) {
  FactorGraph graph;
  graph.log_odds = {0, 0};
  const GibbsResult either = sample(graph, {}, {{Literal(0), Literal(1)}});
  EXPECT_NEAR(either.query_p, 0.75, 4 * either.query_mcse);
  const GibbsResult never = sample(graph, {}, {{}});
  EXPECT_EQ(never.query_p, 0);
}

TEST(Gibbs, ProgressCountsSweeps) {
  FactorGraph graph;
  graph.log_odds = {0};
  GibbsOptions options;
  std::vector<std::size_t> seen;
  options.progress = [&](std::string_view, std::size_t done, std::size_t total) {
    seen.push_back(done);
    EXPECT_EQ(total, 20'500u);
  };
  const GibbsResult result = sample(graph, options);
  EXPECT_EQ(seen.front(), 100u);
  EXPECT_EQ(seen.back(), 500 + result.sweeps);
}

TEST(Gibbs, OnlyOneWayAtATime) {
  FactorGraph graph;
  graph.log_odds = {0};
  GibbsOptions options;
  options.blocks = options.random_scan = true;
  EXPECT_THROW(sample(graph, options), UsageError);
}

TEST(Gibbs, SegmentsMergeAndLoseNothing) {
  logic::Segments kept(1, 5, 4);
  for (std::size_t sweep = 0; sweep < 47; ++sweep) {
    kept.open_sums()[3] += 1;
    kept.open_ones()[3] += 1;
    kept.added(1);
    EXPECT_EQ(kept.sweeps(), sweep + 1);
    EXPECT_EQ(kept.total(0), static_cast<double>(sweep + 1));
  }
  EXPECT_EQ(kept.length(), 20u);
  EXPECT_EQ(kept.complete(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t lane = 0; lane < 16; ++lane) EXPECT_EQ(kept.ones(k, 0)[lane], lane == 3 ? 20u : 0u);
  }
}

// a = On(Man,Bike) b = Ride(Man,Bike) c = On(Woman,Bike) d = Ride(Woman,Bike).
GroundNetwork riders(bool merged) {
  GroundNetwork network;
  network.formulas =
      std::vector<logic::FormulaSource>{{"On ^ Ride", 0.8, 0}, {"Ride", -0.4, 0}, {"Ride ^ Ride", -0.3, 0}};
  for (const char* name : {"a", "b", "c", "d"}) network.add_atom(name);
  const auto add = [&](std::uint32_t formula, double times, std::vector<Literal> literals) {
    network.add(GroundFormula::Kind::conjunction, formula, times, literals);
  };
  add(0, 1, {Literal(0), Literal(1)});
  add(0, 1, {Literal(2), Literal(3)});
  add(1, 1, {Literal(1)});
  add(1, 1, {Literal(3)});
  add(2, merged ? 2 : 1, {Literal(1), Literal(3)});
  if (!merged) add(2, 1, {Literal(1), Literal(3)});
  return network;
}

TEST(SumExp, WorkedExample) {
  for (const bool merged : {false, true}) {
    const std::vector<double> p = sum_exp_conditionals(riders(merged), {true, true, true, false});
    const double expected[] = {0.689974481128, 0.550352685203, 0.5, 0.522530440605};
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(p[k], expected[k], 1e-12) << k;
  }
}

TEST(SumExp, NeutralPartners) {
  GroundNetwork network;
  network.formulas = std::vector<logic::FormulaSource>{{"", 0.7, 0}, {"", 1.9, 0}};
  for (const char* name : {"a", "b", "c", "alone"}) network.add_atom(name);
  network.add(GroundFormula::Kind::conjunction, 0, 1, std::vector{Literal(0), Literal(1)});
  network.add(GroundFormula::Kind::conjunction, 1, 1, std::vector{Literal(1), Literal(2)});
  const std::vector<double> p = sum_exp_neutral(network);
  const double first = std::exp(0.7) + 1, second = std::exp(1.9) + 1;
  EXPECT_NEAR(p[0], first / (first + 2), 1e-15);
  EXPECT_NEAR(p[1], (first + second) / (first + second + 4), 1e-15);
  EXPECT_NEAR(p[2], second / (second + 2), 1e-15);
  EXPECT_EQ(p[3], 0.5);
}

TEST(SumExp, SamplerDrawsByIt) {
  FactorGraph graph;
  graph.log_odds = {0.3, 0};
  add_factor(graph, {Literal(0), Literal(1)}, 1);
  GibbsOptions options;
  options.sum_exp = true;
  // With one formula, A / B = exp(w) or 1 as in the true conditional: the same distribution.
  const GibbsResult result = sample(graph, options);
  const double weights[] = {1, std::exp(0.3), 1, std::exp(1.3)};  // 00 10 01 11
  const double z = weights[0] + weights[1] + weights[2] + weights[3];
  EXPECT_NEAR(result.marginals[0], (weights[1] + weights[3]) / z, 5 * result.mcse[0]);
  EXPECT_NEAR(result.marginals[1], (weights[2] + weights[3]) / z, 5 * result.mcse[1]);
}

// Both atoms are alike and so are their negations, so each is true half of the time. The chains turn over so
// rarely that segments of 50 sweeps are far from independent.
TEST(Gibbs, StandardErrorsOfSlowChainsAreNotTooSmall) {
  FactorGraph graph;
  graph.log_odds = {-5, -5};
  graph.weights = {10};
  graph.literals = {Literal(0), Literal(1)};
  graph.starts = {0, 2};
  constexpr int kRuns = 200;
  double squares = 0;
  for (int run = 0; run < kRuns; ++run) {
    GibbsOptions options;
    options.seed = static_cast<std::uint64_t>(run);
    options.most_sweeps = 300;
    const GibbsResult result = logic::sample(graph, options);
    const double error = (result.marginals[0] - 0.5) / result.mcse[0];
    squares += error * error / kRuns;
  }
  EXPECT_LT(std::sqrt(squares), 1.2);
  EXPECT_GT(std::sqrt(squares), 0.8);
}

// Alone, a variable's conditional is its marginal each time: no error by chance, but floats round.
TEST(Gibbs, ErrorsAreNotSmallerThanThoseOfFloats) {
  FactorGraph graph;
  for (int k = -40; k <= 40; ++k) graph.log_odds.push_back(.2 * k + .013);
  GibbsOptions options;
  options.least_ess_atom = std::numeric_limits<double>::infinity();
  for (const std::size_t sweeps : {100u, 3'000u, 40'000u}) {
    options.most_sweeps = sweeps;
    const GibbsResult result = sample(graph, options);
    for (std::size_t v = 0; v < graph.variables(); ++v) {
      const double exact = 1 / (1 + std::exp(-graph.log_odds[v]));
      EXPECT_NEAR(result.marginals[v], exact, 2 * result.mcse[v]) << sweeps << " " << graph.log_odds[v];
      EXPECT_LT(result.mcse[v], 1.1e-6);
    }
  }
}

// Two variables and a factor of both: four draws and looks in each of sixteen chains.
TEST(Gibbs, WorkHasABoundWhereOneIsGiven) {
  FactorGraph graph;
  graph.log_odds = {.5, -.5};
  graph.weights = {1};
  graph.literals = {Literal(0), Literal(1)};
  graph.starts = {0, 2};
  GibbsOptions options;
  options.least_ess_atom = std::numeric_limits<double>::infinity();
  options.most_work = 64 * 40;
  std::size_t last = 0;
  options.progress = [&](std::string_view, std::size_t done, std::size_t total) {
    last = done;
    EXPECT_EQ(total, 40u);
  };
  const GibbsResult cut = sample(graph, options);
  EXPECT_EQ(last, 40u);
  EXPECT_EQ(cut.sweeps, 30u);
  EXPECT_TRUE(cut.cut_short && !cut.converged);
  EXPECT_TRUE(std::isfinite(cut.mcse[0]));
  options.progress = {};
  options.most_sweeps = 300;
  options.most_work = 64 * 800;
  const GibbsResult whole = sample(graph, options);
  EXPECT_EQ(whole.sweeps, 300u);
  EXPECT_FALSE(whole.cut_short);
  options.most_work = 1;
  EXPECT_EQ(sample(graph, options).sweeps, 12u);
}

}  // namespace
}  // namespace capella::test
