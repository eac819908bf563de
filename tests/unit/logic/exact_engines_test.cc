// Elimination and counting where it matters that they are economical: long chains, hubs, limits, reuse.
#include <cmath>

#include <gtest/gtest.h>

#include "logic/exact/counting.h"
#include "logic/exact/elimination.h"
#include "logic/exact/wmc_export.h"
#include "support/small_networks.h"

namespace capella::test {
namespace {

using logic::CountingCircuit;
using logic::CountingStatistics;
using logic::Elimination;
using logic::FactorGraph;

FactorGraph chain(std::uint32_t length, double weight) {
  NetworkBuilder builder;
  for (std::uint32_t k = 0; k < length; ++k) builder.atom("x" + std::to_string(k));
  const auto formula = builder.formula("x ^ next x", weight);
  for (std::uint32_t k = 0; k + 1 < length; ++k) {
    const logic::Literal literals[] = {yes(k), yes(k + 1)};
    builder.network.add(NetworkBuilder::Kind::conjunction, formula, 1, literals);
  }
  return logic::simplify(builder.network).graph;
}

// By the matrix [1 1; 1 e^w], whose powers have a closed form.
double chain_log_z(double length, double weight) {
  const double e = std::exp(weight), root = std::sqrt((e - 1) * (e - 1) + 4);
  const double large = (1 + e + root) / 2, small = (1 + e - root) / 2;
  // (1 1) M^(n-1) (1 1)' with eigenvectors (1, l - 1).
  const auto part = [](double l) { return l * l / (1 + (l - 1) * (l - 1)); };
  return (length - 1) * std::log(large) +
         std::log(part(large) + part(small) * std::pow(small / large, length - 1));
}

TEST(Elimination, LongChains) {
  for (const std::uint32_t length : {2u, 7u, 64u, 65u, 1000u, 100'000u}) {
    const FactorGraph graph = chain(length, 1.5);
    Elimination elimination;
    ASSERT_TRUE(elimination.compile(graph));
    EXPECT_EQ(elimination.order().width(), 1u);
    std::vector<double> marginals;
    const double expected = chain_log_z(length, 1.5);
    EXPECT_NEAR(elimination.solve(marginals), expected, 1e-12 * expected) << length;
    EXPECT_NEAR(marginals.front(), marginals.back(), 1e-12);
  }
}

TEST(Counting, Chains) {
  for (const std::uint32_t length : {7u, 64u, 65u, 1500u}) {
    const FactorGraph graph = chain(length, -2);
    CountingCircuit circuit;
    CountingStatistics statistics;
    ASSERT_TRUE(logic::count(graph, {}, circuit, statistics)) << statistics.limit;
    const double expected = chain_log_z(length, -2);
    EXPECT_NEAR(circuit.log_z(), expected, 1e-12 * expected) << length;
    EXPECT_LE(statistics.nodes, 8u * length);
  }
}

// One atom joined with very many: the order must not look at all its neighbours for each of them.
TEST(Elimination, Hubs) {
  constexpr std::uint32_t kLeaves = 200'000;
  NetworkBuilder builder;
  for (std::uint32_t k = 0; k <= kLeaves; ++k) builder.atom("x" + std::to_string(k));
  const auto formula = builder.formula("hub ^ x", 0.01);
  for (std::uint32_t k = 1; k <= kLeaves; ++k) {
    const logic::Literal literals[] = {yes(0), yes(k)};
    builder.network.add(NetworkBuilder::Kind::conjunction, formula, 1, literals);
  }
  const FactorGraph graph = logic::simplify(builder.network).graph;
  const double without = kLeaves * std::log(2.0), with = kLeaves * std::log1p(std::exp(0.01));
  Elimination elimination;
  ASSERT_TRUE(elimination.compile(graph));
  EXPECT_NEAR(elimination.log_z(), with + std::log1p(std::exp(without - with)), 1e-6);
  EXPECT_NEAR(elimination.log_probability(std::vector{no(0)}), without - with, 1e-6);
}

TEST(Elimination, ReusedMemoryRemembersNothing) {
  Elimination used;
  std::vector<double> marginals, expected;
  for (const std::uint32_t length : {90u, 3u, 12u, 1u, 40u}) {
    const FactorGraph graph = chain(length, 0.3);
    ASSERT_TRUE(used.compile(graph));
    Elimination other;
    ASSERT_TRUE(other.compile(graph));
    EXPECT_EQ(used.solve(marginals), other.solve(expected));
    EXPECT_EQ(marginals, expected);
  }
}

FactorGraph grid(std::uint32_t side) {
  NetworkBuilder builder;
  for (std::uint32_t k = 0; k < side * side; ++k) builder.atom("x" + std::to_string(k));
  for (std::uint32_t k = 0; k < side * side; ++k) {
    const double weight = std::sin(k + 1.0);
    if (k % side + 1 < side) builder.conjunction(weight, {yes(k), no(k + 1)});
    if (k + side < side * side) builder.conjunction(-weight, {yes(k), yes(k + side)});
  }
  return logic::simplify(builder.network).graph;
}

TEST(Counting, GridsAsByElimination) {
  for (const std::uint32_t side : {4u, 7u, 9u}) {
    const FactorGraph graph = grid(side);
    Elimination elimination;
    ASSERT_TRUE(elimination.compile(graph));
    CountingCircuit circuit;
    CountingStatistics statistics;
    ASSERT_TRUE(logic::count(graph, {}, circuit, statistics)) << statistics.limit;
    std::vector<double> first, second;
    EXPECT_NEAR(elimination.solve(first), circuit.solve(second), 1e-11);
    for (std::size_t v = 0; v < first.size(); ++v) EXPECT_NEAR(first[v], second[v], 1e-12);
  }
}

TEST(Counting, ASmallCacheForgetsAndStillCountsRight) {
  const FactorGraph graph = grid(6);
  CountingCircuit circuit;
  CountingStatistics roomy, tight, none;
  ASSERT_TRUE(logic::count(graph, {}, circuit, roomy));
  const double expected = circuit.log_z();
  ASSERT_TRUE(logic::count(graph, {.cache_bytes = 4'000}, circuit, tight));
  EXPECT_NEAR(circuit.log_z(), expected, 1e-12 * std::abs(expected));
  ASSERT_TRUE(logic::count(graph, {.cache_bytes = 0}, circuit, none));
  EXPECT_NEAR(circuit.log_z(), expected, 1e-12 * std::abs(expected));
  EXPECT_GT(roomy.hits, 0u);
  EXPECT_EQ(roomy.forgotten, 0u);
  EXPECT_GT(tight.forgotten, 0u);
  EXPECT_EQ(none.hits, 0u);
  EXPECT_LT(roomy.nodes, tight.nodes);
  EXPECT_LT(tight.nodes, none.nodes);
}

TEST(Counting, LimitsStopTheSearch) {
  const FactorGraph graph = grid(20);
  CountingCircuit circuit;
  CountingStatistics statistics;
  EXPECT_FALSE(logic::count(graph, {.most_nodes = 5'000}, circuit, statistics));
  EXPECT_EQ(statistics.limit, "more than 5000 nodes");
  EXPECT_LE(statistics.nodes, 5'100u);
  EXPECT_FALSE(logic::count(graph, {.most_steps = 10'000}, circuit, statistics));
  EXPECT_EQ(statistics.limit, "more than 10000 steps");
}

// More pigeons than holes: every branch ends in a contradiction, so only the steps bound the search.
TEST(Counting, ContradictionsLeaveNothing) {
  NetworkBuilder builder;
  constexpr std::uint32_t kHoles = 4, kPigeons = 5;
  for (std::uint32_t k = 0; k < kHoles * kPigeons; ++k) builder.atom("x" + std::to_string(k));
  for (std::uint32_t p = 0; p < kPigeons; ++p) {
    std::vector<logic::Literal> somewhere;
    for (std::uint32_t h = 0; h < kHoles; ++h) somewhere.push_back(yes(p * kHoles + h));
    builder.clause(logic::kHard, somewhere);
    for (std::uint32_t h = 0; h < kHoles; ++h) {
      for (std::uint32_t q = p + 1; q < kPigeons; ++q)
        builder.clause(logic::kHard, {no(p * kHoles + h), no(q * kHoles + h)});
    }
  }
  const FactorGraph graph = logic::simplify(builder.network).graph;
  EXPECT_FALSE(graph.impossible);
  CountingCircuit circuit;
  CountingStatistics statistics;
  ASSERT_TRUE(logic::count(graph, {}, circuit, statistics));
  EXPECT_EQ(circuit.log_z(), -logic::kHard);
  EXPECT_TRUE(circuit.trace(3).nodes.empty());
  Elimination elimination;
  ASSERT_TRUE(elimination.compile(graph));
  EXPECT_EQ(elimination.log_z(), -logic::kHard);
}

TEST(WmcExport, TheTextIsAsCountersReadIt) {
  NetworkBuilder builder;
  builder.atom("On(Man,Bike)");
  builder.atom("Ride(Man,Bike)");
  builder.atom("Sit(Man)");
  builder.conjunction(1, {yes(0), no(1)});
  builder.clause(logic::kHard, {yes(0), no(1)});
  builder.clause(2, {no(1)});
  builder.network.set_probability(0, 0.25);
  builder.network.set_probability(2, 0);
  EXPECT_EQ(logic::write_wmc(builder.network),
            "c t wmc\n"
            "p cnf 4 5\n"
            "c atom 1 On(Man,Bike)\n"
            "c atom 2 Ride(Man,Bike)\n"
            "c atom 3 Sit(Man)\n"
            "c p weight 1 0.25 0\n"
            "c p weight -1 0.75 0\n"
            "c p weight 2 1 0\n"
            "c p weight -2 7.3890560989306504 0\n"
            "c p weight 3 1 0\n"
            "c p weight -3 1 0\n"
            "c p weight 4 2.7182818284590451 0\n"
            "c p weight -4 1 0\n"
            "-3 0\n"
            "-4 1 0\n"
            "-4 -2 0\n"
            "4 -1 2 0\n"
            "1 -2 0\n");
}

}  // namespace
}  // namespace capella::test
