// Networks that are too wide: exact methods must notice early, with little time and memory, and say what to
// do.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "logic/exact/counting.h"
#include "logic/exact/elimination.h"
#include "logic/exact/elimination_order_large.h"
#include "logic/solver.h"
#include "support/message_of.h"
#include "support/small_networks.h"

namespace capella::test {
namespace {

using logic::CountingCircuit;
using logic::CountingStatistics;
using logic::FactorGraph;
using logic::LeastFill;
using logic::Method;
using logic::Neighbours;
using logic::Solver;
using logic::SolverOptions;

Neighbours graph_of(std::size_t nodes, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  Neighbours neighbours(nodes);
  for (const auto& [a, b] : edges) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  for (auto& list : neighbours) std::ranges::sort(list);
  return neighbours;
}

Neighbours clique_with_tails(std::uint32_t clique, std::uint32_t tails) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t a = 0; a < clique; ++a) {
    for (std::uint32_t b = a + 1; b < clique; ++b) edges.emplace_back(a, b);
  }
  for (std::uint32_t t = 0; t < tails; ++t) edges.emplace_back(t % clique, clique + t);
  return graph_of(clique + tails, edges);
}

// Every two hubs share leaves, and nothing else.
Neighbours hubs_apart(std::uint32_t hubs, std::uint32_t leaves_of_two) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::uint32_t next = hubs;
  for (std::uint32_t a = 0; a < hubs; ++a) {
    for (std::uint32_t b = a + 1; b < hubs; ++b) {
      for (std::uint32_t k = 0; k < leaves_of_two; ++k, ++next) {
        edges.emplace_back(a, next);
        edges.emplace_back(b, next);
      }
    }
  }
  return graph_of(next, edges);
}

std::size_t width_of(LeastFill& order, std::size_t nodes) {
  std::size_t width = 0;
  for (std::size_t left = nodes; left > 0; --left) {
    const std::uint32_t node = order.next();
    width = std::max(width, order.degree(node));
    EXPECT_EQ(order.eliminate(node).size(), order.degree(node));
  }
  return width;
}

TEST(EliminationOrder, Degeneracy) {
  EXPECT_EQ(logic::degeneracy({}), 0u);
  EXPECT_EQ(logic::degeneracy(graph_of(3, {})), 0u);
  EXPECT_EQ(logic::degeneracy(graph_of(4, {{0, 1}, {0, 2}, {0, 3}})), 1u);
  EXPECT_EQ(logic::degeneracy(graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}})), 2u);
  EXPECT_EQ(logic::degeneracy(clique_with_tails(9, 1'000)), 8u);
  EXPECT_EQ(logic::degeneracy(hubs_apart(9, 10)), 2u);
}

TEST(EliminationOrder, DegreesTakeOverWhereFillsAreTooMuchWork) {
  const Neighbours graph = hubs_apart(12, 40);
  LeastFill patient(graph), hasty(graph, 25'000), at_once(graph, 10);
  EXPECT_FALSE(patient.by_degree());
  EXPECT_FALSE(hasty.by_degree());
  EXPECT_TRUE(at_once.by_degree());
  for (LeastFill* order : {&patient, &hasty}) EXPECT_EQ(width_of(*order, graph.size()), 11u);
  EXPECT_FALSE(patient.by_degree());
  EXPECT_TRUE(hasty.by_degree());
  EXPECT_FALSE(patient.exhausted());
  EXPECT_EQ(width_of(at_once, graph.size()), 11u);
  EXPECT_TRUE(at_once.exhausted());
}

// Everyone may be everyone's friend: 90,300 variables, 300 of which are all joined with each other.
const logic::GroundNetwork& friends() {
  static const logic::GroundNetwork network = Smokers{.friends = 0.5, .friend_weight = -0.7}.network(300);
  return network;
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(EliminationOrder, HubsThatAreAllJoinedAreRefusedBeforeAnyOrderIsSought) {
  const FactorGraph graph = logic::simplify(friends()).graph;
  logic::EliminationOrder order;
  EXPECT_LT(seconds_of([&] { EXPECT_FALSE(order.find(graph, 1 << 24)); }), 2);
  EXPECT_EQ(order.entries(), std::exp2(300));
  EXPECT_EQ(order.width(), 299u);
  EXPECT_TRUE(order.order().empty());
}

TEST(EliminationOrder, APartOfAnOrderWhereItIsWanted) {
  const FactorGraph graph = logic::simplify(friends()).graph;
  logic::EliminationOrder order;
  EXPECT_LT(seconds_of([&] { EXPECT_FALSE(order.find(graph, 1 << 24, true)); }), 5);
  EXPECT_EQ(order.order().size(), 300u * 299);  // all friendships of two, and nobody
}

TEST(Solver, SamplesWhereHubsAreAllJoined) {
  SolverOptions options;
  options.most_steps = 5'000'000;
  Solver solver(friends(), options);
  EXPECT_EQ(solver.method(), Method::gibbs);
  EXPECT_NE(solver.why().find("tables of at least 2^300.0 entries"), std::string::npos) << solver.why();
  EXPECT_NE(solver.why().find("more than 5000000 steps; Gibbs sampling instead"), std::string::npos)
      << solver.why();
}

// Soft pairs of all atoms; those of the first `hard` are hard.
logic::GroundNetwork all_pairs(std::uint32_t atoms, std::uint32_t hard = 0) {
  NetworkBuilder builder;
  builder.network.source = "dense.mln";
  for (std::uint32_t k = 0; k < atoms; ++k) builder.atom("x" + std::to_string(k));
  for (std::uint32_t a = 0; a < atoms; ++a) {
    for (std::uint32_t b = a + 1; b < atoms; ++b)
      b < hard ? builder.clause(logic::kHard, {no(a), no(b)})
               : builder.conjunction(0.3 * std::sin(a + 7.0 * b), {yes(a), yes(b)});
  }
  return std::move(builder.network);
}

TEST(Counting, MemoryOfTheNodesIsBounded) {
  const FactorGraph graph = logic::simplify(all_pairs(60)).graph;
  CountingCircuit circuit;
  CountingStatistics statistics;
  constexpr std::size_t kNodes = 100'000, kMost = kNodes * logic::CountingLimits::kBytesPerNode;
  EXPECT_FALSE(logic::count(graph, {.most_nodes = kNodes, .cache_bytes = 1 << 20}, circuit, statistics));
  EXPECT_EQ(statistics.limit, "more than 12 MB for its nodes");
  EXPECT_GE(circuit.bytes(), kMost);
  EXPECT_LE(circuit.bytes(), kMost + kMost / 10);
  EXPECT_GT(statistics.forgotten, 0u);
}

// What is left of 54 factors per variable is one factor per variable.
TEST(Counting, EqualRemainsOfFactorsAreOne) {
  const FactorGraph graph = logic::simplify(all_pairs(16)).graph;
  CountingCircuit circuit;
  CountingStatistics statistics;
  ASSERT_TRUE(logic::count(graph, {}, circuit, statistics));
  logic::Elimination elimination;
  ASSERT_TRUE(elimination.compile(graph));
  EXPECT_NEAR(circuit.log_z(), elimination.log_z(), 1e-11);
  EXPECT_LT(circuit.bytes(), 500 * statistics.nodes);
}

TEST(Counting, HopelessWithoutHardOrLargeFactors) {
  constexpr double kMost = 1 << 20;
  EXPECT_TRUE(logic::counting_is_hopeless(logic::simplify(all_pairs(60)).graph, kMost));
  EXPECT_FALSE(logic::counting_is_hopeless(logic::simplify(all_pairs(15)).graph, kMost));
  EXPECT_FALSE(logic::counting_is_hopeless(logic::simplify(all_pairs(60, 3)).graph, kMost));
  EXPECT_FALSE(logic::counting_is_hopeless(logic::simplify(friends()).graph, kMost));
}

// At most one of 40 atoms: elimination needs a table of 2^40 entries, counting 40 decisions.
TEST(Solver, CountsWhereHardFormulasDecide) {
  const logic::GroundNetwork network = all_pairs(40, 40);
  Solver solver(network, {});
  EXPECT_EQ(solver.method(), Method::ptp);
  EXPECT_NEAR(solver.log_z(), std::log(41), 1e-12);
  EXPECT_NEAR(solver.marginals()[20], 1.0 / 41, 1e-14);
}

TEST(Solver, AdvisesWhatCanDoIt) {
  const auto refusal = [](const logic::GroundNetwork& network, Method method) {
    SolverOptions options;
    options.method = method;
    options.most_nodes = 2'000;
    return message_of<DataError>([&] { Solver(network, options); });
  };
  const std::string counted = refusal(all_pairs(60), Method::ptp);
  EXPECT_TRUE(counted.starts_with("dense.mln: weighted counting needs more than")) << counted;
  EXPECT_TRUE(counted.ends_with("; use --method gibbs")) << counted;
  const std::string narrow = refusal(all_pairs(22), Method::ptp);
  EXPECT_TRUE(narrow.ends_with("; use --method exact or --method gibbs")) << narrow;
  const std::string eliminated = refusal(all_pairs(60), Method::exact);
  EXPECT_TRUE(eliminated.ends_with("; use --method gibbs")) << eliminated;
  const std::string hard = refusal(all_pairs(60, 40), Method::exact);
  EXPECT_TRUE(hard.ends_with("; use --method ptp or --method gibbs")) << hard;
}

TEST(Solver, DoesNotCountInVain) {
  const logic::GroundNetwork network = all_pairs(60);
  Solver solver(network, {});
  EXPECT_EQ(solver.method(), Method::gibbs);
  EXPECT_NE(solver.why().find("2^60.0 entries, more than 2^24.0, and weighted counting as many nodes"),
            std::string::npos)
      << solver.why();
}

}  // namespace
}  // namespace capella::test
