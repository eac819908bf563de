// Networks made simple: what is decided, what is merged, what becomes a constant.
#include "logic/factor_graph.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/small_networks.h"

namespace capella::test {
namespace {

using logic::AtomPlace;
using logic::kHard;
using logic::Literal;
using logic::Simplified;
using logic::simplify;

std::vector<Literal> literals_of(const logic::FactorGraph& graph, std::size_t k) {
  return {graph.factor(k).begin(), graph.factor(k).end()};
}

TEST(FactorGraph, HardFormulasAndEvidenceAreCarriedThrough) {
  NetworkBuilder builder;
  for (const char* name : {"a", "b", "c", "d", "e"}) builder.atom(name);
  builder.clause(kHard, {no(0), yes(1)});         // a => b
  builder.clause(kHard, {no(1), no(2), yes(3)});  // b ^ c => d
  builder.clause(2, {yes(1), yes(4)});            // true already: a constant
  builder.conjunction(3, {no(3), yes(4)});
  builder.network.set_probability(0, 1);
  const Simplified simplified = simplify(builder.network);
  EXPECT_FALSE(simplified.graph.impossible);
  EXPECT_EQ(simplified.places[0].variable, AtomPlace::kTrue);
  EXPECT_EQ(simplified.places[1].variable, AtomPlace::kTrue);
  EXPECT_EQ(simplified.graph.variables(), 3u);
  ASSERT_EQ(simplified.graph.factors(), 2u);
  EXPECT_EQ(literals_of(simplified.graph, 0), (std::vector{yes(0), no(1)}));  // c ^ !d is forbidden
  EXPECT_EQ(simplified.graph.weights[0], -kHard);
  EXPECT_EQ(literals_of(simplified.graph, 1), (std::vector{no(1), yes(2)}));
  EXPECT_EQ(simplified.graph.weights[1], 3);
  EXPECT_EQ(simplified.graph.offset, 2);
}

TEST(FactorGraph, EqualConjunctionsAreOneAndMayVanish) {
  NetworkBuilder builder;
  for (const char* name : {"a", "b", "c"}) builder.atom(name);
  builder.conjunction(0.5, {yes(0), yes(1)});
  builder.clause(0.25, {no(0), no(1)});
  builder.conjunction(1, {yes(1), yes(2)});
  builder.clause(1, {no(1), no(2)});
  const Simplified simplified = simplify(builder.network);
  ASSERT_EQ(simplified.graph.factors(), 1u);
  EXPECT_EQ(simplified.graph.weights[0], 0.25);
  EXPECT_EQ(simplified.places[2].variable, AtomPlace::kFree);
  EXPECT_DOUBLE_EQ(simplified.graph.offset, 1.25 + std::log(2.0));
}

TEST(FactorGraph, SoftEvidenceIsLogOddsAndHeldFromCertainty) {
  NetworkBuilder builder;
  for (const char* name : {"a", "b", "c"}) builder.atom(name);
  builder.clause(kHard, {yes(2)});
  builder.network.set_probability(0, 0.75);
  builder.network.set_probability(1, 1e-12);
  builder.network.set_probability(2, 0.125);  // it is true all the same
  const Simplified simplified = simplify(builder.network);
  ASSERT_EQ(simplified.graph.variables(), 2u);
  EXPECT_DOUBLE_EQ(simplified.graph.log_odds[0], std::log(3.0));
  EXPECT_DOUBLE_EQ(simplified.graph.log_odds[1], std::log(1e-6) - std::log1p(-1e-6));
  EXPECT_DOUBLE_EQ(simplified.graph.offset, std::log(0.25) + std::log1p(-1e-6) + std::log(0.125));
}

TEST(FactorGraph, ContradictionsNameTheirGrounding) {
  NetworkBuilder builder;
  builder.atom("a");
  builder.atom("b");
  builder.conjunction(1, {yes(0), yes(1)});
  builder.clause(kHard, {yes(0)});
  builder.clause(kHard, {no(0), yes(1)});
  builder.clause(kHard, {no(0), no(1)});
  const Simplified simplified = simplify(builder.network);
  EXPECT_TRUE(simplified.graph.impossible);
  EXPECT_EQ(simplified.culprit, 3u);
}

TEST(FactorGraph, AssertedClausesMayRepeatThemselves) {
  NetworkBuilder builder;
  builder.atom("a");
  builder.atom("b");
  builder.conjunction(1, {yes(0), yes(1)});
  const std::vector<std::vector<Literal>> twice = {{yes(0), yes(0)}, {yes(1), no(1)}};
  const Simplified simplified = simplify(builder.network, twice);
  EXPECT_EQ(simplified.places[0].variable, AtomPlace::kTrue);
  EXPECT_EQ(simplified.graph.log_odds, std::vector<double>{1});
  const std::vector<std::vector<Literal>> nothing = {{}};
  EXPECT_TRUE(simplify(builder.network, nothing).graph.impossible);
  EXPECT_EQ(simplify(builder.network, nothing).culprit, builder.network.size());
}

}  // namespace
}  // namespace capella::test
