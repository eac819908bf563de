// The Gibbs kernels against a slow twin, draw by draw; their versions against each other, bit for bit; and
// the estimates of all ways to sample against full enumeration, in units of their own standard errors.
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "logic/gibbs/gibbs_group.h"
#include "logic/gibbs/gibbs_random.h"
#include "logic/gibbs/gibbs_sample.h"
#include "reference/gibbs_reference.h"
#include "support/random_factor_graph.h"

namespace capella::test {
namespace {

using logic::FactorGraph;
using logic::GibbsKernel;
using logic::GibbsOptions;
using logic::GibbsResult;
using logic::kGibbsLanes;
using logic::LaneArrays;
using logic::LaneMask;
using logic::Literal;

// A graph, with forbidden conjunctions in every second case.
FactorGraph any_graph(RandomGraphs& graphs, std::size_t most_variables) {
  const std::size_t variables = 1 + graphs.below(most_variables);
  FactorGraph graph = graphs.graph(variables, graphs.below(3 * variables + 1), 6, 3);
  std::vector<bool> legal(variables);
  for (std::size_t v = 0; v < variables; ++v) legal[v] = graphs.below(2) == 0;
  if (variables > 3 && graphs.below(2) == 0) graphs.forbid(graph, graphs.below(variables), legal);
  return graph;
}

std::vector<bool> world_of_lane(const logic::GibbsModel& model, const LaneMask* states, std::size_t lane) {
  std::vector<bool> world(model.graph.size());
  for (std::size_t v = 0; v < world.size(); ++v) world[v] = (states[2 * model.graph.places[v]] >> lane) & 1u;
  return world;
}

// Goes through a sweep that a kernel has made: each of its draws must be the twin's.
void replay(const logic::GibbsModel& model, std::vector<bool> world, const std::vector<bool>& after,
            const float* sums, std::size_t lane, reference::Xoshiro128Plus& random) {
  for (std::size_t place = 0; place < world.size(); ++place) {
    const std::size_t v = model.graph.order[place];
    const double p = reference::conditional(model.factors, world, v);
    const double summed = static_cast<double>(sums[place * kGibbsLanes + lane]) / logic::kProbabilityUnit;
    RC_ASSERT(std::abs(summed - p) <= 2e-6);
    const double uniform = (random.next() >> 1) * 0x1p-31;
    const bool likely = p >= 0.5;
    const double rare = likely ? 1 - p : p;
    const bool expected = likely != (uniform < rare);
    if (std::abs(uniform - rare) > 1e-6) RC_ASSERT(after[v] == expected);
    world[v] = after[v];
  }
}

TEST(GibbsProperty, KernelsDrawAsTheTwinDoes) {
  EXPECT_TRUE(rc::check([] {
    RandomGraphs graphs(*rc::gen::arbitrary<std::uint64_t>());
    const FactorGraph graph = any_graph(graphs, 12);
    GibbsOptions options;
    options.seed = graphs.below(1'000'000);
    for (const GibbsKernel* kernel : logic::gibbs_kernels()) {
      const logic::GibbsModel model(graph, options, *kernel);
      logic::LaneStates lanes(model, 0, 0);
      const std::vector<LaneMask> before(lanes.states(), lanes.states() + 2 * graph.variables());
      std::vector<float> sums(graph.variables() * kGibbsLanes, 0.0f);
      kernel->draw_and_sum(model.graph, model.graph.runs.data(), model.graph.runs.size(),
                           lanes.arrays(sums.data()));
      for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) {
        const logic::LaneRandom seed(logic::place_seed(options.seed, logic::Purpose::lanes, 0, lane));
        reference::Xoshiro128Plus random(seed.words[0], seed.words[1], seed.words[2], seed.words[3]);
        replay(model, world_of_lane(model, before.data(), lane), world_of_lane(model, lanes.states(), lane),
               sums.data(), lane, random);
      }
    }
  }));
}

bool same(const GibbsResult& a, const GibbsResult& b) {
  return a.marginals == b.marginals && a.mcse == b.mcse && a.rhat == b.rhat && a.ess == b.ess &&
         a.sweeps == b.sweeps && a.query_p == b.query_p && a.query_ess == b.query_ess &&
         a.query_rhat == b.query_rhat && a.query_seen == b.query_seen;
}

TEST(GibbsProperty, VersionsAndThreadsGiveTheSameBits) {
  EXPECT_TRUE(rc::check([] {
    RandomGraphs graphs(*rc::gen::arbitrary<std::uint64_t>());
    const FactorGraph graph = any_graph(graphs, 40);
    GibbsOptions options;
    options.seed = graphs.below(1'000'000);
    options.chains = 33;
    options.burn_in = 10;
    options.check_every = 1 + graphs.below(40);
    options.most_sweeps = 1 + graphs.below(200);
    options.random_scan = graphs.below(4) == 0;
    if (!options.random_scan && graphs.below(4) == 0) options.temperatures = 3;
    const logic::Clauses query = {{Literal(0, graphs.below(2) == 0)}};
    const GibbsResult first = sample(graph, options, query);
    for (const GibbsKernel* kernel : logic::gibbs_kernels()) {
      options.threads = 1 + graphs.below(3);
      RC_ASSERT(same(first, sample_with(*kernel, graph, options, query)));
    }
  }));
}

// How many marginals are further from the truth than 4 standard errors (and 1e-4).
std::size_t misses(const FactorGraph& graph, const GibbsResult& result, std::size_t& atoms) {
  const std::vector<double> exact = reference::marginals(graph);
  std::size_t count = 0;
  for (std::size_t v = 0; v < exact.size(); ++v) {
    count += std::abs(result.marginals[v] - exact[v]) > 4 * result.mcse[v] + 1e-4;
  }
  atoms += exact.size();
  return count;
}

// Over `networks` random ones. Seeds are fixed: the test either holds or does not.
void expect_estimates(const GibbsOptions& options, std::size_t networks, double strength) {
  RandomGraphs graphs(2024);
  std::size_t missed = 0, atoms = 0, converged = 0;
  for (std::size_t k = 0; k < networks; ++k) {
    const std::size_t variables = 2 + graphs.below(11);
    const FactorGraph graph = graphs.graph(variables, 2 * variables, 3, strength);
    GibbsOptions own = options;
    own.seed = k;
    const GibbsResult result = sample(graph, own);
    missed += misses(graph, result, atoms);
    converged += result.converged;
  }
  EXPECT_LE(static_cast<double>(missed), 0.01 * static_cast<double>(atoms)) << missed << " of " << atoms;
  EXPECT_GE(converged, networks * 95 / 100);
}

TEST(GibbsProperty, EstimatesAreWithinTheirErrors) {
  expect_estimates({}, 200, 2);
}

TEST(GibbsProperty, SoAreThoseOfLongRuns) {
  GibbsOptions options;
  options.least_ess_atom = 50'000;
  expect_estimates(options, 50, 2);
}

TEST(GibbsProperty, SoAreThoseOfARandomScan) {
  GibbsOptions options;
  options.random_scan = true;
  expect_estimates(options, 50, 2);
}

TEST(GibbsProperty, SoAreThoseOfBlocks) {
  GibbsOptions options;
  options.blocks = true;
  expect_estimates(options, 50, 2);
}

TEST(GibbsProperty, SoAreThoseOfTempering) {
  GibbsOptions options;
  options.temperatures = 4;
  expect_estimates(options, 50, 2);
}

TEST(GibbsProperty, EstimatesWithHardFormulas) {
  RandomGraphs graphs(7);
  std::size_t missed = 0, atoms = 0;
  for (std::size_t k = 0; k < 25; ++k) {
    FactorGraph graph = graphs.graph(10, 10, 3, 1);
    graphs.forbid(graph, 5, std::vector<bool>(10, k % 2 == 0));
    for (const bool blocks : {false, true}) {
      GibbsOptions options;
      options.blocks = blocks;
      options.most_sweeps = 1'000;
      const GibbsResult result = sample(graph, options);
      if (result.converged) missed += misses(graph, result, atoms);
    }
  }
  EXPECT_LE(static_cast<double>(missed), 0.01 * static_cast<double>(atoms));
  EXPECT_GT(atoms, 400u);  // few do not converge: hard formulas may cut the worlds into parts
}

TEST(GibbsProperty, QueriesAreWithinTheirErrors) {
  RandomGraphs graphs(99);
  std::size_t missed = 0;
  for (std::size_t k = 0; k < 100; ++k) {
    const FactorGraph graph = graphs.graph(8, 4, 3, 1.5);  // few factors: several components
    const logic::Clauses query = {{Literal(0)}, {Literal(3, false)}, {Literal(5), Literal(6)}};
    GibbsOptions options;
    options.seed = k;
    options.least_ess_query = 5'000;
    const GibbsResult result = sample(graph, options, query);
    const std::vector<double> worlds = reference::world_probabilities(graph);
    double exact = 0;
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      exact += (w & 1) != 0 && (w & 8) == 0 && (w & 96) != 0 ? worlds[w] : 0;
    }
    missed += std::abs(result.query_p - exact) > 4 * result.query_mcse;
    EXPECT_TRUE(result.converged);
  }
  EXPECT_LE(missed, 1u);
}

// Every state of four atoms is visited as often as it should be: chi-square, 15 degrees of freedom.
TEST(GibbsProperty, VisitedStatesByChiSquare) {
  RandomGraphs graphs(5);
  for (const GibbsKernel* kernel : logic::gibbs_kernels()) {
    const FactorGraph graph = graphs.graph(4, 6, 4, 1);
    const std::vector<double> worlds = reference::world_probabilities(graph);
    const GibbsOptions options;
    const logic::GibbsModel model(graph, options, *kernel);
    logic::LaneStates lanes(model, 0, 0);
    std::vector<double> visits(16, 0.0);
    constexpr std::size_t kDraws = 5'000;
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      for (std::size_t k = 0; k < 30; ++k) {  // so far apart that draws are as good as independent
        kernel->draw(model.graph, model.graph.runs.data(), model.graph.runs.size(), lanes.arrays(nullptr));
      }
      for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) {
        const std::vector<bool> world = world_of_lane(model, lanes.states(), lane);
        visits[world[0] + 2 * world[1] + 4 * world[2] + 8 * world[3]] += 1;
      }
    }
    double chi_square = 0;
    for (std::size_t w = 0; w < 16; ++w) {
      const double expected = worlds[w] * kDraws * kGibbsLanes;
      chi_square += (visits[w] - expected) * (visits[w] - expected) / expected;
    }
    EXPECT_LT(chi_square, 37.7) << kernel->name;  // 1 in 1,000 is above
    EXPECT_GT(chi_square, 3.4) << kernel->name;   // ... and below
  }
}

TEST(GibbsProperty, BlocksAreForestsOfAllVariables) {
  EXPECT_TRUE(rc::check([] {
    RandomGraphs graphs(*rc::gen::arbitrary<std::uint64_t>());
    const FactorGraph graph = any_graph(graphs, 30);
    const logic::FactorsOfVariables incident(graph);
    std::vector<int> seen(graph.variables(), 0);
    for (const logic::TreeBlock& block : logic::tree_blocks(graph, incident)) {
      std::vector<int> inside(graph.variables(), 0);
      for (const logic::TreeNode& node : block) inside[node.variable] = ++seen[node.variable];
      std::size_t shared = 0, together = 0;
      for (const logic::TreeNode& node : block) shared += node.shared.size();
      for (std::size_t k = 0; k < graph.factors(); ++k) {
        int members = 0;
        for (const Literal literal : graph.factor(k)) members += inside[literal.atom()];
        RC_ASSERT(members <= 2);
        together += members == 2;
      }
      RC_ASSERT(shared == together);  // so each factor of two is between a variable and its parent
    }
    RC_ASSERT(seen == std::vector<int>(graph.variables(), 1));
  }));
}

}  // namespace
}  // namespace capella::test
