#include "report/logic_report.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/text_search.h"

namespace capella::report {
namespace {

using test::has;

constexpr double kLogicReportNan = std::numeric_limits<double>::quiet_NaN();

LogicAnswer answer(std::size_t atoms) {
  LogicAnswer made;
  made.method = "exact";
  made.why = "small";
  made.atoms = atoms;
  made.groundings = 1;
  made.log_z = 2.5;
  for (std::size_t k = 0; k < atoms; ++k)
    made.marginals.emplace_back("A(" + std::to_string(k) + ")", static_cast<double>(k) / 10);
  return made;
}

LogicAnswer sampled(std::size_t atoms) {
  LogicAnswer made = answer(atoms);
  made.method = "gibbs";
  made.log_z = kLogicReportNan;
  made.mcse.assign(atoms, 0.125);
  made.chains = 16;
  made.sweeps = 300;
  made.rhat_max = 1.0625;
  made.ess_min = 2500;
  return made;
}

TEST(LogicReport, JsonHasAllAtomsAndOnlyWhatWasAskedFor) {
  const auto json = nlohmann::json::parse(format_logic_answer(answer(3), Format::json, 1));
  EXPECT_EQ(json["method"], "exact");
  EXPECT_EQ(json["log_z"], 2.5);
  EXPECT_EQ(json["marginals"].size(), 3u);
  EXPECT_EQ(json["marginals"]["A(2)"], 0.2);
  for (const char* absent : {"query", "mcse", "rhat_max", "most_probable", "notes", "unmentioned_atoms"})
    EXPECT_FALSE(json.contains(absent)) << absent;
}

TEST(LogicReport, JsonTellsErrorsOfSampling) {
  LogicAnswer made = sampled(2);
  made.has_query = true;
  made.query_log_p = -7;
  made.query_unseen = true;
  const auto json = nlohmann::json::parse(format_logic_answer(made, Format::json, 0));
  EXPECT_TRUE(json["log_z"].is_null());
  EXPECT_EQ(json["mcse"]["A(1)"], 0.125);
  EXPECT_EQ(json["rhat_max"], 1.0625);
  EXPECT_EQ(json["query"]["log_p"], -7);
  EXPECT_EQ(json["query"]["log_p_is_upper_bound"], true);
  EXPECT_TRUE(has(format_logic_answer(made, Format::table, 0), "log P is at most -7 (95 %)"));
}

TEST(LogicReport, TableShowsTheMostAndTheLeastProbable) {
  const std::string table = format_logic_answer(answer(6), Format::table, 3);
  EXPECT_LT(table.find("A(5)"), table.find("A(4)"));
  EXPECT_LT(table.find("A(4)"), table.find("A(0)"));
  for (const char* hidden : {"A(1)", "A(2)", "A(3)"}) EXPECT_FALSE(has(table, hidden)) << hidden;
  EXPECT_TRUE(has(table, "3 of 6 atoms: the most and the least probable; --top 0 shows all."));
  EXPECT_TRUE(has(format_logic_answer(answer(6), Format::table, 0), "A(3)"));
  EXPECT_EQ(format_logic_answer(answer(2), Format::csv, 1), "atom,p\nA(0),0.0\nA(1),0.1\n");
  EXPECT_EQ(format_logic_answer(sampled(1), Format::plain, 1), "A(0)\t0.0\t0.125\n");
}

TEST(LogicReport, TellsTheMostProbableWorld) {
  LogicAnswer made = answer(2);
  made.most_probable_log_p = -0.5;
  EXPECT_TRUE(has(format_logic_answer(made, Format::table, 0), "no atom is true; log P = -0.5"));
  made.true_atoms = {"A(0)", "A(1)"};
  EXPECT_TRUE(has(format_logic_answer(made, Format::table, 0), "A(0), A(1) true"));
  const auto json = nlohmann::json::parse(format_logic_answer(made, Format::json, 0));
  EXPECT_EQ(json["most_probable"]["true"], (std::vector<std::string>{"A(0)", "A(1)"}));
}

TEST(LogicReport, SaysThatChainsHaveNotConverged) {
  LogicAnswer made = sampled(1);
  EXPECT_FALSE(has(format_logic_answer(made, Format::table, 0), "NOT"));
  made.converged = false;
  EXPECT_TRUE(has(format_logic_answer(made, Format::table, 0), "the chains have NOT converged"));
}

PublishedNetworks published() {
  PublishedNetworks made;
  made.networks = 3;
  made.rules = 5;
  made.methods = {{"exact", 2}};
  made.most_atoms = 2;
  made.images = {{"7", "exact", 1.5, {{"a:b:c", .5}}, {}, {}},
                 {"8", "exact", 2.5, {{"a:b:c", .25}, {"d:e:f", .75}}, {}, {}}};
  return made;
}

TEST(LogicReport, PublishedNetworks) {
  PublishedNetworks made = published();
  const auto json = nlohmann::json::parse(format_published(made, Format::json, 0));
  EXPECT_EQ(json["networks"], 3);
  EXPECT_EQ(json["non_empty"], 2);
  EXPECT_EQ(json["methods"], (nlohmann::json{{"exact", 2}}));
  EXPECT_EQ(json["images"]["8"]["marginals"]["d:e:f"], .75);
  EXPECT_EQ(json["images"]["7"]["log_z"], 1.5);
  EXPECT_FALSE(json.contains("sum_exp"));
  const std::string table = format_published(made, Format::table, 1);
  EXPECT_TRUE(has(table, "d:e:f"));  // the largest network's most probable atom
  EXPECT_FALSE(has(table, "a:b:c"));
  EXPECT_TRUE(has(table, "1 of 2 images"));
  EXPECT_EQ(
      format_published(made, Format::csv, 1),
      "image,atom,method,log Z,p\n7,a:b:c,exact,1.5,0.5\n8,a:b:c,exact,2.5,0.25\n8,d:e:f,exact,2.5,0.75\n");
}

TEST(LogicReport, PublishedNetworksBesideTheAuthorsFormula) {
  PublishedNetworks made = published();
  made.images[0].sum_exp = {.625};
  made.images[1].sum_exp = {.5, .875};
  made.mean_difference = .125;
  made.most_difference = .25;
  const auto json = nlohmann::json::parse(format_published(made, Format::json, 0));
  EXPECT_EQ(json["sum_exp"]["most_difference"], .25);
  EXPECT_EQ(json["images"]["8"]["sum_exp"]["d:e:f"], .875);
  EXPECT_TRUE(has(format_published(made, Format::table, 0), "0.1250 on average, 0.2500 at most"));
}

TEST(LogicReport, LearnedWeights) {
  WeightsLearned made;
  made.measure = "log pseudo-likelihood";
  made.formulas = {{"A(x)", -.5, .25, false, false},
                   {"B(x)", 2, kLogicReportNan, false, false},
                   {"A(x) => B(x)", std::numeric_limits<double>::infinity(), kLogicReportNan, true, false},
                   {"C(x)", 0, 10, false, true}};
  made.worlds = 1;
  const std::string table = format_learned_weights(made, Format::table, 2);
  EXPECT_LT(table.find("B(x)"), table.find("A(x)"));  // by size
  EXPECT_FALSE(has(table, "C(x)"));
  EXPECT_TRUE(has(table, "NOT converged"));
  const std::string all = format_learned_weights(made, Format::table, 0);
  EXPECT_LT(all.find("A(x)"), all.find("B(x)"));
  EXPECT_TRUE(has(all, "hard"));
  EXPECT_TRUE(has(all, "the data says nothing"));
  const auto json = nlohmann::json::parse(format_learned_weights(made, Format::json, 1));
  EXPECT_EQ(json["formulas"].size(), 4u);
  EXPECT_EQ(json["formulas"][0]["standard_error"], .25);
  EXPECT_EQ(json["formulas"][2]["weight"], "inf");
  EXPECT_EQ(json["formulas"][3]["idle"], true);
}

}  // namespace
}  // namespace capella::report
