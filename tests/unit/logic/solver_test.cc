// Answers that are known: from closed forms, and from other people's programs where these are right.
#include "logic/solver.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_networks.h"

namespace capella::test {
namespace {

using logic::GroundNetwork;
using logic::kHard;
using logic::Method;
using logic::Query;
using logic::Solver;
using logic::SolverOptions;

SolverOptions by(Method method) {
  SolverOptions options;
  options.method = method;
  return options;
}

constexpr Method kExactMethods[] = {Method::exact, Method::ptp};

void expect_marginals(const GroundNetwork& network, const std::vector<double>& expected, double tolerance) {
  for (const Method method : kExactMethods) {
    Solver solver(network, by(method));
    for (std::size_t atom = 0; atom < expected.size(); ++atom)
      EXPECT_NEAR(solver.marginals()[atom], expected[atom], tolerance)
          << method_name(method) << " " << network.name(static_cast<logic::AtomId>(atom));
  }
}

TEST(Solver, HardFormulas) {
  NetworkBuilder either, implication, both, coin;
  for (NetworkBuilder* builder : {&either, &implication, &both}) {
    builder->atom("H");
    builder->atom("S");
  }
  either.clause(kHard, {yes(0), yes(1)});
  expect_marginals(either.network, {2.0 / 3, 2.0 / 3}, 1e-15);
  implication.clause(kHard, {no(0), yes(1)});
  expect_marginals(implication.network, {1.0 / 3, 2.0 / 3}, 1e-15);
  both.clause(kHard, {yes(0)});
  both.clause(kHard, {yes(1)});
  expect_marginals(both.network, {1, 1}, 0);
  coin.atom("Heads");
  coin.conjunction(1, {yes(0)});
  expect_marginals(coin.network, {0.7310585786300049}, 1e-15);
}

TEST(Solver, TwoSmokers) {
  const GroundNetwork network = Smokers{.cancer = 1.5, .friends = 1.1}.network(2);
  constexpr double s = .35702478931256104, c = .6133819604540816, f = .4534073855870707;
  expect_marginals(network, {s, s, c, c, .5, f, f, .5}, 1e-12);
  for (const Method method : kExactMethods)
    EXPECT_NEAR(Solver(network, by(method)).log_z(), std::log(229210.50248619413), 1e-12);
}

// Given how many smoke, all else is independent: log Z and the four marginals.
struct SmokersAnswer {
  double log_z, smokes, cancer, friends, self;
};

SmokersAnswer closed_form(const Smokers& weights, int n) {
  const double on = std::exp(weights.friend_weight);
  // Sum over one friendship, and its part where they are friends: from a smoker to a non-smoker, or other.
  const double broken_true = on, broken = std::exp(weights.friends) + broken_true;
  const double kept_true = std::exp(weights.friends) * on, kept = std::exp(weights.friends) + kept_true;
  const double cancer_yes = std::exp(weights.cancer), smoker = cancer_yes + 1, other = 2 * cancer_yes;
  long double z = 0, smokes = 0, cancer = 0, friends = 0;
  for (int k = 0; k <= n; ++k) {
    const double mixed = k * (n - k), pairs = n * (n - 1);
    const long double weight = std::exp(
        std::lgamma(n + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(n - k + 1.0L) + k * weights.smoke_weight +
        mixed * std::log(static_cast<long double>(broken)) +
        (pairs - mixed) * std::log(static_cast<long double>(kept)) +
        k * std::log(static_cast<long double>(smoker)) + (n - k) * std::log(static_cast<long double>(other)));
    z += weight;
    smokes += weight * k / n;
    cancer += weight * (k * cancer_yes / smoker + (n - k) * 0.5) / n;
    friends += weight * (mixed * broken_true / broken + (pairs - mixed) * kept_true / kept) / pairs;
  }
  const double log_self = n * (weights.friends + std::log1p(on));
  return {static_cast<double>(std::log(z)) + log_self, static_cast<double>(smokes / z),
          static_cast<double>(cancer / z), static_cast<double>(friends / z), on / (1 + on)};
}

constexpr Smokers kManySmokers{.cancer = 0.5, .friends = 0.3, .friend_weight = -0.7, .smoke_weight = -0.2};

TEST(Solver, SmokersByTheirNumber) {
  const SmokersAnswer thirty = closed_form(kManySmokers, 30);
  EXPECT_NEAR(thirty.log_z, 670.3432454724, 1e-9);
  EXPECT_NEAR(thirty.smokes, .0671606419, 1e-10);
  EXPECT_NEAR(thirty.cancer, .5082244473, 1e-10);
  EXPECT_NEAR(thirty.friends, .3279624797, 1e-10);
  EXPECT_NEAR(thirty.self, .3318122278, 1e-10);
  for (const std::uint32_t n : {2u, 5u, 9u}) {
    const SmokersAnswer expected = closed_form(kManySmokers, static_cast<int>(n));
    const GroundNetwork network = kManySmokers.network(n);
    for (const Method method : kExactMethods) {
      Solver solver(network, by(method));
      EXPECT_NEAR(solver.log_z(), expected.log_z, 1e-11) << n;
      EXPECT_NEAR(solver.marginals()[n - 1], expected.smokes, 1e-12) << n;
      EXPECT_NEAR(solver.marginals()[n], expected.cancer, 1e-12) << n;
      EXPECT_NEAR(solver.marginals()[2 * n + 1], expected.friends, 1e-12) << n;
      EXPECT_NEAR(solver.marginals()[2 * n], expected.self, 1e-12) << n;
    }
  }
}

// Fifteen people make tables of 2^15 entries, and sums of weights that no product could hold.
TEST(Solver, WideNetworksByElimination) {
  const SmokersAnswer expected = closed_form(kManySmokers, 15);
  const GroundNetwork network = kManySmokers.network(15);
  Solver solver(network, by(Method::exact));
  EXPECT_NEAR(solver.log_z(), expected.log_z, 1e-10);
  EXPECT_NEAR(solver.marginals()[0], expected.smokes, 1e-12);
}

TEST(Solver, Riding) {
  GroundNetwork network = riding_network();
  const Query query{{{yes(1)}, {no(3)}}};
  for (const Method method : kExactMethods) {
    Solver solver(network, by(method));
    EXPECT_NEAR(solver.log_z(), 2.722229331694, 1e-12);
    EXPECT_NEAR(solver.marginals()[0], 0.586031955628, 1e-12);
    EXPECT_NEAR(solver.marginals()[1], 0.452860590104, 1e-12);
    EXPECT_NEAR(solver.ask(query).p, 0.284227164604, 1e-12);
    EXPECT_NEAR(solver.ask(query).log_p, -1.257981485186, 1e-12);
  }
  const double probabilities[] = {0.9, 0.7, 0.4, 0.2};
  for (logic::AtomId atom = 0; atom < 4; ++atom) network.set_probability(atom, probabilities[atom]);
  for (const Method method : kExactMethods) {
    Solver solver(network, by(method));
    EXPECT_NEAR(solver.log_z(), 0.180274882909, 1e-12);
    EXPECT_NEAR(solver.ask(query).log_p, -0.416734741260, 1e-12);
  }
  expect_marginals(network, {0.939312407912, 0.749541822667, 0.427710208941, 0.140394491860}, 1e-12);
}

TEST(Solver, QueriesOfAllKinds) {
  NetworkBuilder builder;
  for (const char* name : {"a", "b", "free", "also free", "known"}) builder.atom(name);
  builder.conjunction(1, {yes(0), yes(1)});
  builder.clause(kHard, {yes(4)});
  const double z = 3 + std::exp(1);
  for (const Method method : kExactMethods) {
    Solver solver(builder.network, by(method));
    const auto p = [&](const Query& query) { return solver.ask(query).p; };
    EXPECT_NEAR(p({{{yes(0)}, {yes(1)}}}), std::exp(1) / z, 1e-15);
    EXPECT_NEAR(p({{{yes(0), yes(1)}}}), (2 + std::exp(1)) / z, 1e-15);
    EXPECT_NEAR(p({{{yes(2)}, {no(3)}, {no(2), yes(2)}}}), 0.25, 1e-15);
    EXPECT_NEAR(p({{{yes(2), yes(3)}}}), 0.75, 1e-15);
    EXPECT_EQ(p({}), 1);
    EXPECT_EQ(p({{{yes(4)}}}), 1);
    EXPECT_EQ(p({{{no(4)}}}), 0);
    EXPECT_EQ(solver.ask({{{no(4)}}}).log_p, -kHard);
    EXPECT_EQ(p({{{yes(2)}, {no(2)}}}), 0);
    EXPECT_EQ(p({{{yes(0)}, {no(0)}}}), 0);
    EXPECT_EQ(solver.ask({{std::vector<logic::Literal>{}}}).log_p, -kHard);
  }
}

TEST(Solver, TheMostProbableWorld) {
  NetworkBuilder builder;
  for (const char* name : {"a", "b", "c"}) builder.atom(name);
  builder.conjunction(2, {yes(0), no(1)});
  builder.conjunction(-3, {yes(0)});
  builder.clause(kHard, {yes(0), yes(1)});
  builder.clause(0.5, {no(1), yes(2)});
  for (const Method method : kExactMethods) {
    const logic::MostProbable best = Solver(builder.network, by(method)).most_probable();
    EXPECT_EQ(best.world, (std::vector<bool>{false, true, true}));
    EXPECT_DOUBLE_EQ(best.log_weight, 0.5);
    // b alone: 1 + e^.5; a and b: e^-3 (1 + e^.5); a alone: twice e^-.5.
    const double z = (1 + std::exp(-3)) * (1 + std::exp(0.5)) + 2 * std::exp(-0.5);
    EXPECT_NEAR(best.log_p, 0.5 - std::log(z), 1e-14);
  }
}

TEST(Solver, ContradictionsNameFileAndFormula) {
  NetworkBuilder builder;
  builder.network.source = "c.mln";
  builder.atom("H(A)");
  builder.clause(kHard, {yes(0)}, "H(A)");
  builder.clause(kHard, {no(0)}, "!H(A)");
  for (const Method method : {Method::exact, Method::ptp, Method::gibbs, Method::automatic}) {
    const std::string message = message_of<DataError>([&] { Solver(builder.network, by(method)); });
    EXPECT_NE(message.find("c.mln:2: "), std::string::npos) << message;
    EXPECT_NE(message.find("`!H(A)`"), std::string::npos) << message;
    EXPECT_NE(message.find("contradict"), std::string::npos) << message;
  }
}

// No clause has one literal, so propagation alone does not see it.
TEST(Solver, HiddenContradictionsAreFoundToo) {
  NetworkBuilder builder;
  builder.network.source = "c.mln";
  for (const char* name : {"a", "b", "c"}) builder.atom(name);
  builder.clause(kHard, {yes(0), yes(1)});
  builder.clause(kHard, {yes(0), no(1)});
  builder.clause(kHard, {no(0), yes(1)});
  builder.conjunction(1, {yes(0), yes(2)});
  builder.clause(kHard, {no(0), no(1)});
  builder.clause(kHard, {yes(1), yes(2)});
  for (const Method method : {Method::exact, Method::ptp, Method::automatic}) {
    const std::string message = message_of<DataError>([&] { Solver(builder.network, by(method)); });
    EXPECT_NE(message.find("c.mln:5: "), std::string::npos) << message;
    EXPECT_NE(message.find("contradict"), std::string::npos) << message;
  }
}

TEST(Solver, AutomaticTakesWhatFits) {
  const GroundNetwork network = kManySmokers.network(6);
  SolverOptions options;
  Solver elimination(network, options);
  EXPECT_EQ(elimination.method(), Method::exact);
  EXPECT_NE(elimination.why().find("elimination: 48 variables, largest table 2^6 "), std::string::npos)
      << elimination.why();
  options.most_entries = 100;
  Solver counting(network, options);
  EXPECT_EQ(counting.method(), Method::ptp);
  EXPECT_NEAR(counting.log_z(), elimination.log_z(), 1e-11);
  EXPECT_NE(counting.why().find("more than 100; weighted counting: "), std::string::npos) << counting.why();
  options.most_nodes = 20;
  Solver sampling(network, options);
  EXPECT_EQ(sampling.method(), Method::gibbs);
  EXPECT_TRUE(std::isnan(sampling.log_z()));
  EXPECT_NE(sampling.why().find("more than 20 nodes; Gibbs sampling instead"), std::string::npos)
      << sampling.why();
  EXPECT_THROW(sampling.most_probable(), DataError);
}

TEST(Solver, WhatIsTooLargeIsRefusedWithAWayOut) {
  GroundNetwork network = kManySmokers.network(30);
  network.source = "big.mln";
  const std::string tables = message_of<DataError>([&] { Solver(network, by(Method::exact)); });
  EXPECT_NE(tables.find("big.mln: elimination needs tables of at least 2^"), std::string::npos) << tables;
  EXPECT_NE(tables.find("--method ptp or --method gibbs"), std::string::npos) << tables;
  SolverOptions options = by(Method::ptp);
  options.most_nodes = 1000;
  const std::string nodes = message_of<DataError>([&] { Solver(network, options); });
  EXPECT_NE(nodes.find("more than 1000 nodes"), std::string::npos) << nodes;
  EXPECT_NE(nodes.find("--method gibbs"), std::string::npos) << nodes;
}

TEST(Solver, TracesTellAtoms) {
  const GroundNetwork network = kManySmokers.network(3);
  for (const Method method : kExactMethods) {
    Solver solver(network, by(method));
    const logic::CountingTrace trace = solver.trace(1);
    ASSERT_FALSE(trace.nodes.empty());
    EXPECT_NEAR(trace.nodes[0].log_z, solver.log_z(), 1e-12);
    bool choice = false;
    for (const auto& node : trace.nodes) {
      for (const std::uint32_t atom : node.variables) EXPECT_LT(atom, network.atoms());
      if (node.kind != logic::CountingTrace::Kind::choice || node.cut) continue;
      choice = true;
      EXPECT_LT(node.variables[0], 3u);  // who smokes separates the rest
      ASSERT_EQ(node.children.size(), 2u);
      const auto& no = trace.nodes[node.children[0]];
      const auto& yes = trace.nodes[node.children[1]];
      EXPECT_EQ(no.variables[0], node.variables[0]);
      EXPECT_FALSE(no.values[0]);
      EXPECT_TRUE(yes.values[0]);
      EXPECT_NEAR(std::exp(no.log_z - node.log_z) + std::exp(yes.log_z - node.log_z), 1, 1e-12);
    }
    EXPECT_TRUE(choice);
  }
}

TEST(Solver, WeightsHaveABound) {
  for (const double weight : {1e308, -1e308, -kHard, std::nan("")}) {
    NetworkBuilder builder;
    builder.atom("P(A)");
    builder.conjunction(weight, {yes(0)});
    builder.conjunction(weight, {yes(0)});
    const std::string message = message_of<DataError>([&] { Solver(builder.network, {}); });
    EXPECT_EQ(message.substr(0, message.find(" has")), "the network:1: the formula `conjunction`");
  }
  NetworkBuilder builder;
  builder.atom("P(A)");
  builder.atom("P(B)");
  for (int k = 0; k < 2; ++k) builder.conjunction(1e15, {yes(0), yes(1)});
  Solver solver(builder.network, {});
  EXPECT_EQ(solver.log_z(), 2e15);
  EXPECT_EQ(solver.marginals()[0], 1);
}

// Every two of 18 atoms are joined, so there is a table of 2^18 entries, the next of 2^17 and so on: 2^19 - 2
// in all, which are filled and summed up.
TEST(Solver, ListenersHearOfLongExactWorkAndMayEndIt) {
  NetworkBuilder builder;
  for (int k = 0; k < 18; ++k) builder.atom(std::to_string(k));
  for (logic::AtomId a = 0; a < 18; ++a)
    for (logic::AtomId b = 0; b < a; ++b) builder.conjunction(.1, {yes(b), yes(a)});
  SolverOptions options;
  std::size_t last = 0;
  options.gibbs.progress = [&](std::string_view stage, std::size_t done, std::size_t total) {
    EXPECT_EQ(stage, "elimination");
    EXPECT_EQ(total, 2 * ((1u << 19) - 2));
    EXPECT_GT(done, last);
    last = done;
  };
  Solver(builder.network, options).log_z();
  EXPECT_EQ(last, 2 * ((1u << 19) - 2));
  options.gibbs.progress = [](std::string_view stage, std::size_t, std::size_t) {
    throw std::runtime_error(std::string(stage));
  };
  const auto stage = [&] {
    return message_of<std::runtime_error>([&] { Solver(builder.network, options); });
  };
  EXPECT_EQ(stage(), "elimination");
  options.method = Method::ptp;
  EXPECT_EQ(stage(), "counting");
}

}  // namespace
}  // namespace capella::test
