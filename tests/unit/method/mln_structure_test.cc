// Rules from triplets, and worlds to learn their weights from; numbers by hand.
#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "logic/learn/learn_weights.h"
#include "method/mln/rules/structure.h"
#include "method/mln/rules/training_worlds.h"
#include "support/message_of.h"

namespace capella::method::mln {
namespace {

using test::message_of;

using Triplets = std::vector<io::Triplet>;

std::vector<io::TripletRow> rows_of(const std::vector<Triplets>& images) {
  std::vector<io::TripletRow> rows;
  for (const Triplets& triplets : images)
    rows.push_back({std::to_string(rows.size()), "train", "", triplets});
  return rows;
}

std::map<std::string, logic::FormulaStatistics> statistics_of(const StructureResult& result) {
  std::map<std::string, logic::FormulaStatistics> out;
  for (const logic::Formula& formula : result.network.formulas)
    out[logic::format_formula(formula, result.network)] = formula.statistics.value();
  return out;
}

std::vector<std::string> texts_of(const StructureResult& result) {
  std::vector<std::string> out;
  for (const logic::Formula& formula : result.network.formulas)
    out.push_back(logic::format_formula(formula, result.network));
  return out;
}

const std::vector<Triplets> kRiders = {
    {{"man", "ride", "bike"}, {"man", "sit on", "bike"}},
    {{"woman", "sit on", "bike"}, {"woman", "ride", "bike"}, {"dog", "near", "tree"}},
    {{"man", "sit on", "bench"}},
};

TEST(MlnStructure, CountsByHand) {
  const StructureResult result = learn_structure(rows_of(kRiders), {});
  EXPECT_EQ(result.images, 3U);
  EXPECT_EQ(result.triplets, 6U);
  EXPECT_EQ(result.candidates, 4U);
  EXPECT_EQ(texts_of(result),
            (std::vector<std::string>{"Near(x,y)", "Ride(x,y)", "Ride(x,y) ^ SitOn(x,y)", "SitOn(x,y)"}));
  const auto statistics = statistics_of(result);
  const logic::FormulaStatistics& both = statistics.at("Ride(x,y) ^ SitOn(x,y)");
  EXPECT_EQ(both.images, 2);
  EXPECT_EQ(both.support, 2);     // (man, bike), (woman, bike)
  EXPECT_EQ(both.groundings, 2);  // {man, woman} x {bike}: bench is never ridden
  EXPECT_EQ(both.initial, 1);
  const logic::FormulaStatistics& sits = statistics.at("SitOn(x,y)");
  EXPECT_EQ(sits.support, 3);
  EXPECT_EQ(sits.groundings, 4);  // {man, woman} x {bike, bench}
  EXPECT_EQ(sits.initial, .75);
  const logic::Predicate& predicate = result.network.predicates[*result.network.find_predicate("SitOn")];
  EXPECT_EQ(predicate.label, "sit on");
  ASSERT_EQ(predicate.domains.size(), 2U);
  EXPECT_EQ(predicate.domains[0].size(), 2U);
  EXPECT_EQ(predicate.domains[1].size(), 2U);
}

TEST(MlnStructure, GroundRulesKeepTheirConstants) {
  StructureOptions options;
  options.ground = true;
  std::vector<io::TripletRow> rows = rows_of(kRiders);
  rows.push_back({"more", "train", "", kRiders[0]});
  const StructureResult result = learn_structure(rows, options);
  EXPECT_EQ(texts_of(result), (std::vector<std::string>{"Ride(Man,Bike)", "Ride(Man,Bike) ^ SitOn(Man,Bike)",
                                                        "SitOn(Man,Bike)"}));
  EXPECT_EQ(result.network.formulas[1].weight, 1);
  EXPECT_EQ(result.network.formulas[1].statistics->images, 2);
}

TEST(MlnStructure, RowsOfAnImageAreOneAndRepeatsCollapse) {
  std::vector<io::TripletRow> rows = {{"7", "train", "1", {{"man", "ride", "bike"}}},
                                      {"8", "train", "2", {{"man", "ride", "bike"}, {"man", "wear", "hat"}}},
                                      {"7", "train", "3", {{"man", "wear", "hat"}, {"man", "ride", "bike"}}}};
  const StructureResult result = learn_structure(rows, {});
  EXPECT_EQ(result.images, 2U);
  EXPECT_EQ(result.triplets, 4U);
  EXPECT_EQ(statistics_of(result).at("Ride(x,y) ^ Wear(x,z)").images, 2);
}

TEST(MlnStructure, RarePredicatesAreDroppedTiesByString) {
  StructureOptions options;
  options.top_predicates = 2;
  const StructureResult result = learn_structure(
      rows_of({{{"a", "z", "b"}, {"a", "z", "c"}, {"a", "y", "b"}, {"a", "x", "d"}}}), options);
  EXPECT_EQ(result.dropped_triplets, 1U);
  EXPECT_TRUE(result.network.find_predicate("X"));
  EXPECT_TRUE(result.network.find_predicate("Z"));
  EXPECT_FALSE(result.network.find_predicate("Y"));
  EXPECT_TRUE(result.network.find_constant("D"));
}

TEST(MlnStructure, FiltersByImagesAndConfidence) {
  // "on" is in 20 images, in 2 of them with "ride": 2 / 20 is not more than .1.
  std::vector<Triplets> images(20, Triplets{{"cup", "on", "table"}});
  images[0].push_back({"cup", "ride", "bike"});
  images[1].push_back({"cup", "ride", "bike"});
  StructureOptions options;
  EXPECT_EQ(learn_structure(rows_of(images), options).network.formulas.size(), 2U);
  options.min_confidence = .09;
  EXPECT_EQ(learn_structure(rows_of(images), options).network.formulas.size(), 3U);
  options.min_images = 3;
  EXPECT_EQ(learn_structure(rows_of(images), options).network.formulas.size(), 2U);
}

TEST(MlnStructure, SelfLoopsAndSymmetricFormulas) {
  const StructureResult result =
      learn_structure(rows_of({{{"a", "p", "a"}, {"a", "q", "b"}, {"b", "q", "a"}}}), {});
  StructureOptions options;
  options.min_images = 1;
  const auto statistics =
      statistics_of(learn_structure(rows_of({{{"a", "p", "a"}, {"a", "q", "b"}, {"b", "q", "a"}}}), options));
  EXPECT_EQ(result.network.formulas.size(), 2U);  // P(x,x) and Q(x,y): one image is not enough for more
  EXPECT_TRUE(statistics.contains("P(x,x) ^ Q(x,y)"));
  EXPECT_TRUE(statistics.contains("P(x,x) ^ Q(y,x)"));
  EXPECT_EQ(statistics.at("Q(x,y) ^ Q(y,x)").support, 2);  // x = a or x = b
  EXPECT_EQ(statistics.at("Q(x,y) ^ Q(y,x)").groundings, 4);
}

TEST(MlnStructure, LongerChainsShareConstantsOneByOne) {
  // p - q, p - r, p - t, r - t: in a row as q, p, r, t.
  const std::vector<io::TripletRow> rows =
      rows_of({{{"a", "p", "b"}, {"a", "q", "c"}, {"b", "r", "d"}, {"e", "t", "b"}, {"f", "s", "g"}}});
  StructureOptions options;
  options.min_images = 1;
  options.longest = 4;
  const std::vector<std::string> texts = texts_of(learn_structure(rows, options));
  EXPECT_NE(std::ranges::find(texts, "P(x,y) ^ Q(x,z) ^ R(y,u) ^ T(w,y)"), texts.end());
  EXPECT_TRUE(std::ranges::none_of(texts, [](const std::string& text) {
    return text.find("S(") != 0 && text.find("S(") != std::string::npos;
  }));
}

TEST(MlnStructure, TheAuthorsTestFindsNounsInsideOthers) {
  const std::vector<io::TripletRow> can = rows_of({{{"can", "on", "table"}, {"man", "see", "candle"}}});
  StructureOptions options;
  options.min_images = 1;
  EXPECT_EQ(learn_structure(can, options).network.formulas.size(), 2U);
  options.substring = true;
  EXPECT_TRUE(statistics_of(learn_structure(can, options)).contains("On(x,y) ^ See(z,u)"));
}

TEST(MlnStructure, AStarOfThreeRaysIsATreeAndNoChain) {
  // The middle literal has two constants, so two of three rays would share one: by text a noun can be in
  // three.
  const std::vector<io::TripletRow> rows =
      rows_of({{{"abc", "m", "abc"}, {"a", "p", "a"}, {"b", "q", "b"}, {"c", "r", "c"}}});
  StructureOptions options;
  options.min_images = 1;
  options.longest = 4;
  options.ground = true;
  options.substring = true;
  const std::string star = "M(Abc,Abc) ^ P(A,A) ^ Q(B,B) ^ R(C,C)";
  EXPECT_FALSE(statistics_of(learn_structure(rows, options)).contains(star));
  options.tree = true;
  EXPECT_TRUE(statistics_of(learn_structure(rows, options)).contains(star));
}

TEST(MlnStructure, TooManyChainsAreCappedAndCounted) {
  Triplets many;
  for (int k = 0; k < 30; ++k) many.push_back({"man", "hold", "thing " + std::to_string(k)});
  StructureOptions options;
  options.most_chains_per_image = 100;
  options.min_images = 1;
  options.ground = true;
  const StructureResult capped = learn_structure(rows_of({many, kRiders[0]}), options);
  EXPECT_EQ(capped.capped_images, 1U);
  EXPECT_EQ(capped.candidates, 100U + 3U);
  options.most_chains_per_image = 30 + 30 * 29 / 2;
  EXPECT_EQ(learn_structure(rows_of({many, kRiders[0]}), options).capped_images, 0U);
}

TEST(MlnStructure, NamesThatClashKeepTheirWords) {
  StructureOptions options;
  options.min_images = 1;
  const StructureResult result =
      learn_structure(rows_of({{{"t shirt", "sit on", "a:b,c"}, {"t-shirt", "sit-on", "a:b,c"}}}), options);
  EXPECT_EQ(result.network.predicates.size(), 2U);
  EXPECT_EQ(result.network.constants.size(), 3U);
  const logic::Network again = logic::read_network(logic::write_network(result.network), "again");
  ASSERT_EQ(again.formulas.size(), result.network.formulas.size());
  for (std::size_t k = 0; k < again.formulas.size(); ++k)
    EXPECT_EQ(logic::format_formula(again.formulas[k], again),
              logic::format_formula(result.network.formulas[k], result.network));
  std::vector<std::string> labels;
  for (const logic::Constant& constant : again.constants) labels.push_back(constant.label);
  std::ranges::sort(labels);
  EXPECT_EQ(labels, (std::vector<std::string>{"a:b,c", "t shirt", "t-shirt"}));
}

TEST(MlnStructure, ThreadsAndTheOrderOfRowsChangeNothing) {
  std::vector<Triplets> images;
  for (int k = 0; k < 700; ++k) {
    const std::string noun = "n" + std::to_string(k % 13);
    images.push_back({{noun, "p", "m" + std::to_string(k % 7)}, {noun, "q" + std::to_string(k % 3), "o"}});
  }
  std::vector<io::TripletRow> rows = rows_of(images);
  StructureOptions options;
  const std::string one = logic::write_network(learn_structure(rows, options).network);
  options.threads = 3;
  EXPECT_EQ(logic::write_network(learn_structure(rows, options).network), one);
  std::ranges::reverse(rows);
  EXPECT_EQ(logic::write_network(learn_structure(rows, options).network), one);
}

TEST(MlnStructure, WrongCalls) {
  EXPECT_THROW(learn_structure({}, {}), DataError);
  StructureOptions options;
  options.longest = 5;
  EXPECT_THROW(learn_structure(rows_of(kRiders), options), UsageError);
}

TEST(MlnTrainingWorlds, TheWorkedExample) {
  // Worlds of one image: Man, Woman and Bike; each variable takes the constants of its domain.
  const logic::Network network = logic::read_network(
      "//@pred On \"on\"\n//@const Man \"man\"\n//@const Woman \"woman\"\n//@const Bike \"bike\"\n"
      "rider = {Man, Woman}\nthing = {Bike}\nOn(rider,thing)\nRide(rider,thing)\n"
      "On(x,y) ^ Ride(x,y)\nRide(x,y)\nRide(x,y) ^ Ride(z,y) ^ x != z\n//@pred Ride \"ride\"\n",
      "riders.mln");
  const std::vector<io::TripletRow> rows = rows_of(
      {{{"man", "on", "bike"}, {"man", "ride", "bike"}, {"woman", "on", "bike"}, {"cow", "on", "moon"}}});
  const logic::PseudoRows data = training_rows(network, rows, {});
  EXPECT_EQ(data.atoms(), 4U);
  logic::WeightOptions options;
  options.prior_sd = 1;
  options.optimiser = logic::Optimiser::newton;
  const logic::LearnedWeights learned = logic::learn_weights(data, formula_weights(network), options);
  EXPECT_NEAR(learned.weights[0], 0.448129303869, 1e-12);
  EXPECT_NEAR(learned.weights[1], 0.058323671106, 1e-12);
  EXPECT_NEAR(learned.weights[2], -0.635403454567, 1e-12);
  EXPECT_NEAR(learned.objective, -2.345038435862, 1e-12);
}

TEST(MlnTrainingWorlds, MergedIsOneWorld) {
  const StructureResult result = learn_structure(rows_of(kRiders), {});
  WorldOptions options;
  EXPECT_EQ(training_rows(result.network, rows_of(kRiders), options).worlds(), 3U);
  options.merged = true;
  const logic::PseudoRows merged = training_rows(result.network, rows_of(kRiders), options);
  EXPECT_EQ(merged.worlds(), 1U);
  EXPECT_EQ(merged.atoms(), 2U * 1 + 2 * 2 + 1);  // ride, sit on, near: all pairs of their domains
}

TEST(MlnTrainingWorlds, TermsPerPredicate) {
  const StructureResult result = learn_structure(rows_of(kRiders), {});
  WorldOptions options;
  options.per_predicate = true;
  const logic::PseudoRows rows = training_rows(result.network, rows_of(kRiders), options);
  std::vector<std::size_t> atoms(rows.group_atoms().begin(), rows.group_atoms().end());
  std::ranges::sort(atoms);
  // Near(dog,tree); Ride of man, woman with the bike; SitOn of these and of man with the bench.
  EXPECT_EQ(atoms, (std::vector<std::size_t>{1, 2, 3}));
}

TEST(MlnTrainingWorlds, TripletsThatTheNetworkDoesNotKnow) {
  const StructureResult result = learn_structure(rows_of(kRiders), {});
  const std::string message = message_of<DataError>([&] {
    training_rows(result.network, rows_of({{{"cow", "over", "moon"}}}), {});
  });
  EXPECT_NE(message.find("cow over moon"), std::string::npos) << message;
}

}  // namespace
}  // namespace capella::method::mln
