#include "report/meta_report.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/text_search.h"

namespace capella::report {
namespace {

using test::has;

using nlohmann::json;

MetaResult ratings() {
  MetaResult result;
  result.benchmark = "nebula";
  result.title = "Nebula";
  result.version = "original scores";
  result.rows = 3;
  result.images = 3;
  result.resamples = 100;
  result.seed = 1;
  result.measures = {"kendall_b", "kendall_c", "pearson", "spearman"};
  result.main_measure = 1;
  const auto estimates = [](double value) {
    return std::vector<Estimate>(4, Estimate{value, {value - 0.05, value + 0.05}});
  };
  result.metrics = {{"BLEU-1", "BLEU-1|x", estimates(0.3), {0.1, 0.1, 0.1, 0.1}, {}, 0.5},
                    {"BLEU-4", "BLEU-4|x", estimates(0.4), {0.1, 0.1, 0.1, 0.1}, {}, 0.5},
                    {"mine", "", estimates(0.6), {0.1, 0.1, 0.1, 0.1}, {}, {}}};
  result.differences = {{0, 1, -0.1, {-0.2, 0.1}, 0.2, 0.2, 0.3, Verdict::not_real},
                        {0, 2, -0.3, {-0.4, -0.2}, 0.001, 0.003, 0.002, Verdict::real},
                        {1, 2, -0.2, {-0.3, -0.1}, 0.001, 0.003, 0.002, Verdict::real}};
  result.ratings = {0, 0.5, 1};
  result.values = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  return result;
}

MetaResult pairs() {
  MetaResult result = ratings();
  result.benchmark = "pascal50s";
  result.pairs = 10;
  result.rows = 20;
  result.measures = {"HC", "HI", "mean"};
  result.main_measure = 2;
  result.ratings.clear();
  for (Agreement& agreement : result.metrics) {
    agreement.estimates.resize(3);
    agreement.p_values.clear();
    agreement.ties = {1, 2};
  }
  return result;
}

TEST(MetaReport, SaysWhichMetricsReallyDiffer) {
  EXPECT_EQ(agreement_sentences(ratings()),
            (std::vector<std::string>{"mine (60.00) is better than BLEU-1, BLEU-4.",
                                      "BLEU-4 (40.00) does not really differ from BLEU-1.",
                                      "BLEU-1 (30.00) does not really differ from BLEU-4."}));
}

TEST(MetaReport, TextHasCoefficientsVersionAndSignatures) {
  const std::string text = format_meta(ratings(), Format::table, false);
  for (const char* part : {"tau-b", "tau-c", "60.00 ±5.00", "Nebula: original scores", "3 rows of 3 images",
                           "100 resamples, seed 1", "BLEU-1, BLEU-4|x", "mine (60.00) is better"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_FALSE(has(text, "DENEB"));
}

TEST(MetaReport, PublishedFiguresStandBelowOurs) {
  const std::string text = format_meta(ratings(), Format::table, true);
  EXPECT_TRUE(has(text, "this run"));
  EXPECT_TRUE(has(text, "DENEB, Table 1"));
  EXPECT_TRUE(has(text, "48.1"));  // CIDEr on Nebula
  const json whole = json::parse(format_meta(ratings(), Format::json, true));
  EXPECT_GT(whole.at("published").size(), 10u);
}

TEST(MetaReport, JsonHasTheContractsShape) {
  const json whole = json::parse(format_meta(ratings(), Format::json, false));
  EXPECT_EQ(whole.at("benchmark"), "nebula");
  EXPECT_EQ(whole.at("version"), "original scores");
  EXPECT_EQ(whole.at("rows"), 3);
  const json& metric = whole.at("metrics")[2];
  EXPECT_EQ(metric.at("metric"), "mine");
  for (const char* measure : {"kendall_b", "kendall_c", "pearson", "spearman"}) {
    EXPECT_EQ(metric.at(measure).at("value"), 0.6);
    EXPECT_TRUE(metric.at(measure).contains("low"));
    EXPECT_TRUE(metric.at(measure).contains("high"));
  }
  EXPECT_FALSE(metric.contains("accuracy"));
  EXPECT_FALSE(whole.contains("published"));
  EXPECT_FALSE(whole.contains("cases"));
}

TEST(MetaReport, JsonOfPairsHasAccuraciesAndTies) {
  const json whole = json::parse(format_meta(pairs(), Format::json, false));
  const json& metric = whole.at("metrics")[0];
  EXPECT_EQ(metric.at("accuracy").at("mean").at("value"), 0.3);
  EXPECT_EQ(metric.at("ties").at("HI"), 2);
  EXPECT_FALSE(metric.contains("kendall_b"));
  EXPECT_EQ(whole.at("pairs"), 10);
  EXPECT_TRUE(has(format_meta(pairs(), Format::table, false), "a tie is wrong"));
}

TEST(MetaReport, WhatIsUndefinedIsADashAndTakesNoPart) {
  MetaResult result = ratings();
  for (Estimate& estimate : result.metrics[0].estimates)
    estimate = {std::nan(""), {std::nan(""), std::nan("")}};
  for (AgreementDifference& difference : result.differences) difference.verdict = Verdict::undecided;
  EXPECT_TRUE(has(format_meta(result, Format::csv, false), "BLEU-1,nan"));
  EXPECT_EQ(agreement_sentences(result)[0], "mine (60.00) cannot be compared with BLEU-1, BLEU-4.");
  EXPECT_TRUE(
      json::parse(format_meta(result, Format::json, false)).at("differences")[0].at("real").is_null());
}

TEST(MetaReport, ListsCases) {
  MetaResult result = ratings();
  MetaCase found{};
  found.metric = 2;
  found.too_high = true;
  found.image = "i7";
  found.caption = "two | buses";
  found.human = 0.25;
  found.scores = {0.1, 0.2, 0.9};
  result.cases = {found};
  const std::string text = format_meta(result, Format::table, false);
  EXPECT_TRUE(has(text, "too high  i7"));
  EXPECT_TRUE(has(text, "human 0.25; BLEU-1 0.100, BLEU-4 0.200, mine 0.900"));
  EXPECT_TRUE(has(format_meta(result, Format::markdown, false), "two \\| buses"));
  const json whole = json::parse(format_meta(result, Format::json, false));
  EXPECT_EQ(whole.at("cases")[0].at("scores").at("mine"), 0.9);
}

TEST(MetaReport, DrawsBarsAndAScatterPlotPerMetricOfRatings) {
  const auto pictures = draw_meta(ratings(), false);
  ASSERT_EQ(pictures.size(), 5u);
  EXPECT_EQ(pictures[0].name, "bars.svg");
  EXPECT_EQ(pictures[1].name, "differences.svg");
  EXPECT_EQ(pictures[2].name, "scatter-bleu-1.svg");
  EXPECT_TRUE(has(pictures[0].content, "mine"));
  EXPECT_TRUE(has(pictures[1].content, "-30.0"));
}

TEST(MetaReport, DrawsCategoriesOfPairs) {
  const auto pictures = draw_meta(pairs(), true);
  ASSERT_EQ(pictures.size(), 3u);
  EXPECT_TRUE(has(pictures[0].content, "published"));
  EXPECT_EQ(pictures[2].name, "categories.svg");
  EXPECT_TRUE(has(pictures[2].content, "HI"));
  EXPECT_TRUE(has(pictures[2].content, "40.0"));
}

TEST(MetaReport, OfManyCategoriesOnlyTheMeanHasItsInterval) {
  MetaResult result = pairs();
  result.half_ties = true;
  result.measures = {"a", "b", "c", "d", "e", "f", "mean"};
  result.main_measure = 6;
  for (Agreement& agreement : result.metrics) {
    agreement.estimates.resize(7, {0.7, {0.6, 0.8}});
    agreement.ties.assign(6, 1);
  }
  result.category_pairs = {1, 2, 3, 4, 5, 60};
  const std::string text = format_meta(result, Format::table, false);
  EXPECT_FALSE(has(text, "1/1"));
  EXPECT_FALSE(has(text, "60.00 ±"));
  EXPECT_TRUE(has(text, "70.00 ±10.00"));
  EXPECT_TRUE(has(text, "a tie counts half"));
  EXPECT_TRUE(has(text, "--format json"));
  EXPECT_TRUE(has(text, "pairs: a 1, b 2, c 3, d 4, e 5, f 60\n"));
  EXPECT_TRUE(has(format_meta(result, Format::csv, false), "f_ties"));
}

}  // namespace
}  // namespace capella::report
