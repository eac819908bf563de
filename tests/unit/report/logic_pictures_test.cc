#include "report/logic_pictures.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/text_search.h"

namespace capella::report {
namespace {

using test::count;

constexpr double kLogicPicturesNan = std::numeric_limits<double>::quiet_NaN();

// A chain of atoms, each joined with the next.
GroundedLogic chain(std::size_t atoms) {
  GroundedLogic network;
  network.formulas = {"A(x) ^ !A(y)"};
  for (std::size_t k = 0; k < atoms; ++k) {
    network.atoms.push_back("A(" + std::to_string(k) + ")");
    network.evidence.push_back(kLogicPicturesNan);
    if (k > 0) network.factors.push_back({{k - 1, k}, {true, false}, true, .5, 0});
  }
  return network;
}

TEST(GroundNetworkPicture, ShowsAtomsFormulasAndLiterals) {
  GroundedLogic network = chain(3);
  network.factors.push_back({{0}, {true}, true, -1.5, 0});
  network.evidence[1] = 0.25;
  network.evidence[2] = 1;
  const std::vector<double> p = {.125, .5, 1};
  const std::string svg = draw_ground_network(network, p, "A & B");
  EXPECT_EQ(count(svg, "rx=\"10\""), 3u);            // atoms
  EXPECT_EQ(count(svg, "<path"), 5u);                // literals
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2u);     // negated ones
  EXPECT_EQ(count(svg, "A(x) ^ !A(y)</text>"), 3u);  // formulas
  EXPECT_EQ(count(svg, "<title>A &amp; B</title>"), 1u);
  for (const char* part : {">A(0)  0.125<", ">given 0.25<", ">known: true<", ">-1.5  A", ">+0.5  A"})
    EXPECT_EQ(count(svg, part) > 0, true) << part;
  EXPECT_EQ(svg, draw_ground_network(network, p, "A & B"));
}

TEST(GroundNetworkPicture, ShowsWhatIsNearTheQueryOfALargeNetwork) {
  GroundedLogic network = chain(200);
  network.query_atoms = {100};
  const std::string svg = draw_ground_network(network, {}, "large", 5);
  EXPECT_NE(svg.find("5 of 200 atoms and 4 of 199 ground formulas"), std::string::npos);
  for (const char* near : {">A(98)<", ">A(99)<", ">A(100)<", ">A(101)<", ">A(102)<"})
    EXPECT_NE(svg.find(near), std::string::npos) << near;
  EXPECT_EQ(count(svg, "stroke-width=\"3\""), 1u);  // the query's atom
}

TEST(GroundNetworkPicture, DrawsAnEmptyNetwork) {
  EXPECT_NE(draw_ground_network({}, {}, "empty").find("0 of 0 atoms"), std::string::npos);
}

std::vector<CountingNode> tree() {
  return {{"choice", "A(\"x\")", "", 2.5, false, false, {1, 2}},
          {"product", "A(1), !B(1)", "true", 1.5, false, false, {3}},
          {"product", "!A(1)", "false", 0.5, false, false, {4}},
          {"leaf", "C(1), D(1)", "", 0.25, false, false, {}},
          {"leaf", "C(1), D(1)", "", 0.25, true, true, {}}};
}

TEST(CountingTreePicture, HasABoxForEachNodeAndALineForEachBranch) {
  const std::string svg = draw_counting_tree(tree());
  EXPECT_EQ(count(svg, "<line"), 4u);
  EXPECT_EQ(count(svg, "rx=\"16\""), 1u);
  EXPECT_EQ(count(svg, ">true<") + count(svg, ">false<"), 2u);
  EXPECT_EQ(count(svg, ", counted before, more below<"), 1u);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 1u);
  EXPECT_EQ(count(svg, ">{C(1), D(1)}<"), 2u);
  EXPECT_NE(draw_counting_tree({}).find("A tree of 0 nodes."), std::string::npos);
}

TEST(CountingTree, AsTextOfGraphviz) {
  const std::string dot = counting_tree_dot(tree());
  EXPECT_EQ(count(dot, " -> "), 4u);
  EXPECT_NE(dot.find("n0 [label=\"A(\\\"x\\\")\\nlog Z 2.5\", shape=ellipse];"), std::string::npos) << dot;
  EXPECT_NE(dot.find("n0 -> n1 [label=\"true\"];"), std::string::npos);
  EXPECT_EQ(count(dot, "style=dashed"), 1u);
}

TEST(CountingTree, AsNestedJson) {
  const auto json = nlohmann::json::parse(counting_tree_json(tree()));
  EXPECT_EQ(json["kind"], "choice");
  EXPECT_EQ(json["children"].size(), 2u);
  EXPECT_EQ(json["children"][0]["branch"], "true");
  EXPECT_EQ(json["children"][1]["children"][0]["cached"], true);
  EXPECT_EQ(json["children"][0]["log_z"], 1.5);
  EXPECT_EQ(nlohmann::json::parse(counting_tree_json({})), nlohmann::json::object());
}

TEST(WorldsPicture, HasABarForEachWorldAndSaysWhatIsLeftOut) {
  const std::vector<LogicWorld> worlds = {{{"A(1)", "B(1)"}, .5}, {{}, .375}, {{"A(1)"}, .125}};
  const std::string all = draw_worlds(worlds, "Worlds");
  EXPECT_NE(all.find("all 3 possible worlds"), std::string::npos);
  EXPECT_NE(all.find("A(1), B(1)"), std::string::npos);
  EXPECT_NE(all.find("(no atom is true)"), std::string::npos);
  EXPECT_NE(all.find("0.3750"), std::string::npos);
  const std::string some = draw_worlds(worlds, "Worlds", 2);
  EXPECT_NE(some.find("the 2 most probable of 3 worlds, 87.5 % together"), std::string::npos);
  EXPECT_EQ(some.find("0.1250"), std::string::npos);
}

}  // namespace
}  // namespace capella::report
