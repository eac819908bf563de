// What Solver adds to the sampler: atoms for variables, decided queries, and what it says of things never
// seen.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "logic/solver.h"
#include "support/message_of.h"
#include "support/small_networks.h"

namespace capella::test {
namespace {

using logic::kHard;
using logic::Method;
using logic::Query;
using logic::Solver;
using logic::SolverOptions;

SolverOptions sampling() {
  SolverOptions options;
  options.method = Method::gibbs;
  return options;
}

void expect_near(double found, double expected, double mcse) {
  EXPECT_GT(mcse, 0);
  EXPECT_LT(mcse, 0.05);
  EXPECT_NEAR(found, expected, 5 * mcse);
}

// The riders, and two atoms more: one decided, one of which nothing is said.
logic::GroundNetwork riders_and_others() {
  NetworkBuilder builder;
  builder.network = riding_network();
  builder.atom("Known");
  builder.atom("Free");
  builder.clause(kHard, {yes(4)});
  return std::move(builder.network);
}

TEST(SolverSampling, MarginalsAreAtoms) {
  const logic::GroundNetwork network = riders_and_others();
  Solver solver(network, sampling());
  EXPECT_EQ(solver.method(), Method::gibbs);
  const double expected[] = {0.586031955628, 0.452860590104, 0.586031955628, 0.452860590104};
  const logic::GibbsResult& result = *solver.sampling();
  ASSERT_EQ(result.mcse.size(), 6u);
  for (std::size_t atom = 0; atom < 4; ++atom)
    expect_near(solver.marginals()[atom], expected[atom], result.mcse[atom]);
  EXPECT_EQ(solver.marginals()[4], 1);
  EXPECT_EQ(solver.marginals()[5], 0.5);
  EXPECT_EQ(result.mcse[5], 0);
}

TEST(SolverSampling, Queries) {
  const logic::GroundNetwork network = riders_and_others();
  Solver solver(network, sampling());
  const auto rides = solver.ask({{{yes(1)}, {no(3)}, {yes(4)}}});
  expect_near(rides.p, 0.284227164604, rides.mcse);
  EXPECT_EQ(rides.method, Method::gibbs);
  const auto and_free = solver.ask({{{yes(1)}, {no(3)}, {no(5)}}});
  EXPECT_DOUBLE_EQ(and_free.p, rides.p / 2);
  EXPECT_DOUBLE_EQ(and_free.mcse, rides.mcse / 2);
  // Some ride, or the free atom is true: 1 - P(nobody rides) / 2, of 4 worlds of weight 1 without riders.
  const auto some = solver.ask({{{yes(1), yes(3), yes(5)}}});
  expect_near(some.p, 1 - 2 / 15.214201968997, some.mcse);
  EXPECT_EQ(solver.ask({{{no(4)}}}).log_p, -kHard);
  EXPECT_EQ(solver.ask({{{yes(4), yes(0)}}}).p, 1);
  EXPECT_EQ(solver.ask({{{yes(5)}}}).p, 0.5);
}

TEST(SolverSampling, WhatIsNeverSeen) {
  NetworkBuilder builder;
  builder.atom("a");
  builder.atom("b");
  builder.conjunction(-60, {yes(0), yes(1)});
  Solver asked(builder.network, sampling());
  const Query both{{{yes(0)}, {yes(1)}}};
  const auto exact = asked.ask(both);
  EXPECT_EQ(exact.method, Method::exact);
  EXPECT_TRUE(exact.unseen);
  EXPECT_NEAR(exact.log_p, -60 - std::log(3 + std::exp(-60)), 1e-12);
  SolverOptions chosen;  // where exact methods have failed, there is only a bound
  chosen.most_entries = 1;
  chosen.most_nodes = 0;
  Solver automatic(builder.network, chosen);
  ASSERT_EQ(automatic.method(), Method::gibbs);
  const auto bound = automatic.ask(both);
  EXPECT_EQ(bound.method, Method::gibbs);
  EXPECT_EQ(bound.p, 0);
  EXPECT_EQ(bound.log_p, bound.log_p_upper);
  EXPECT_LT(bound.log_p_upper, std::log(0.05));
  EXPECT_GT(bound.log_p_upper, std::log(1e-7));
  EXPECT_TRUE(bound.unseen);
}

TEST(SolverSampling, TheNetworkDoesNotAnswerForThePublishedConditional) {
  NetworkBuilder builder;  // forty atoms in a row: all true in few worlds
  Query all;
  for (logic::AtomId atom = 0; atom < 40; ++atom) {
    builder.atom("a" + std::to_string(atom));
    if (atom > 0) builder.conjunction(-.1, {yes(atom - 1), yes(atom)});
    all.clauses.push_back({yes(atom)});
  }
  SolverOptions options = sampling();
  EXPECT_EQ(Solver(builder.network, options).ask(all).method, Method::exact);
  options.gibbs.sum_exp = true;
  const auto found = Solver(builder.network, options).ask(all);
  EXPECT_EQ(found.method, Method::gibbs);
  EXPECT_TRUE(found.unseen);
  EXPECT_EQ(found.p, 0);
  EXPECT_GT(found.log_p, std::log(1e-7));  // a bound
}

TEST(SolverSampling, OneLiteralIsAnsweredByItsMarginal) {
  const logic::GroundNetwork network = riders_and_others();
  Solver solver(network, sampling());
  const auto rides = solver.ask({{{yes(1)}, {yes(4)}}});
  EXPECT_EQ(rides.p, solver.marginals()[1]);
  EXPECT_EQ(rides.mcse, solver.sampling()->mcse[1]);
  EXPECT_EQ(rides.rhat, solver.sampling()->rhat[1]);
  EXPECT_EQ(rides.sweeps, solver.sampling()->sweeps);
  EXPECT_TRUE(rides.converged);
  const auto stays = solver.ask({{{no(1)}, {yes(5)}}});
  EXPECT_DOUBLE_EQ(stays.p, (1 - rides.p) / 2);
  EXPECT_DOUBLE_EQ(stays.mcse, rides.mcse / 2);
}

TEST(SolverSampling, AQueryTellsWhetherItsChainsConverged) {
  const logic::GroundNetwork network = riders_and_others();
  SolverOptions options = sampling();
  options.gibbs.most_sweeps = 4;
  Solver solver(network, options);
  const auto few = solver.ask({{{yes(1)}, {no(3)}}});
  EXPECT_FALSE(few.converged);
  EXPECT_EQ(few.sweeps, 4u);
  options.gibbs.most_sweeps = 20'000;
  Solver enough(network, options);
  const auto many = enough.ask({{{yes(1)}, {no(3)}}});
  EXPECT_TRUE(many.converged);
  EXPECT_GE(many.ess, options.gibbs.least_ess_query);
}

TEST(SolverSampling, ErrorsOfTheSamplerNameTheNetwork) {
  NetworkBuilder builder;
  builder.network.source = "rules.mln";
  for (const char* name : {"a", "b"}) builder.atom(name);
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) builder.clause(kHard, {a ? yes(0) : no(0), b ? yes(1) : no(1)});
  }
  Solver solver(builder.network, sampling());
  const std::string message = message_of<DataError>([&] { solver.marginals(); });
  EXPECT_TRUE(message.starts_with("rules.mln: ")) << message;
}

}  // namespace
}  // namespace capella::test
