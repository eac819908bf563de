#include "report/pregen_report.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/pregen_pictures.h"
#include "support/text_search.h"

namespace capella::report {
namespace {

using test::count;

constexpr const char* kBest = "mean_max_normcount_prefix0";
constexpr const char* kPerplexity = "geomean_join_pplx_none";

// Numbers that are easily told apart; two selections, three metrics, two more left out.
PregenCorrelations known() {
  PregenCorrelations result;
  result.post = "CIDEr";
  result.selections = {"flickr8k", "all"};
  result.row_counts = {15, 30};
  result.systems = {12, 24};
  result.rows = {{kPerplexity, {{.49, -.7, .5, 3, {.4, .6}}, {.36, -.6, 1e-5, 3, {.3, .5}}}},
                 {"sum_sum_prob_none", {{.64, .8, .25, 2, {.6, .7}}, {.5625, .75, 0, 2, {NAN, NAN}}}},
                 {kBest, {{.81, .9, .125, 1, {.7, .9}}, {1, 1, 1e-16, 1, {.95, 1}}}}};
  result.infinite = {"sum_sum_pplx_filter0"};
  result.constant = {"max_max_prob_none"};
  result.comparisons = {{kBest, kPerplexity, .32, {.1, .4}, .01, .01, Verdict::undecided},
                        {kBest, kPerplexity, .64, {.5, .7}, .001, .002, Verdict::real}};
  result.posts = {"CIDEr", "WMD"};
  result.between_posts = {1, .25, .25, 1};
  result.resamples = 1000;
  result.seed = 7;
  PregenScatter& scatter = result.scatters.emplace_back();
  scatter.metric = kBest;
  scatter.points = {{"flickr8k", "init", "1", 2, 0, .1, .2},
                    {"flickr8k", "par", "1", 2, 1, .3, .4},
                    {"coco", "init", "2", 1, 0, INFINITY, .4}};
  scatter.lines = {{2, 0, .81}, {1, .1, 1}};
  return result;
}

TEST(PregenReport, TheFileHasThePublishedLayout) {
  EXPECT_EQ(correlation_file(known()),
            "pregen\tflickr8k_R^2\tflickr8k_R\tflickr8k_p\tall_R^2\tall_R\tall_p\n"
            "geomean_join_pplx_none\t0.49\t-0.7\t0.5\t0.36\t-0.6\t1e-05\n"
            "sum_sum_prob_none\t0.64\t0.8\t0.25\t0.5625\t0.75\t0.0\n"
            "mean_max_normcount_prefix0\t0.81\t0.9\t0.125\t1.0\t1.0\t1e-16\n");
}

TEST(PregenReport, TablesHaveTheBestAndPerplexityWithItsRank) {
  const std::string text = format_correlations({known()}, Format::table, 1);
  EXPECT_EQ(count(text, "\nall   "), 2u);
  EXPECT_EQ(count(text, "\nflickr8k "), 2u);
  EXPECT_EQ(count(text, "sum_sum_prob_none"), 0u);
  EXPECT_NE(text.find("geomean_join_pplx_none (perplexity)     3  0.3600  0.3000 to 0.5000"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("all: R^2 of mean_max_normcount_prefix0 is 0.6400 higher than that of perplexity (95 % "
                      "+0.5000 to +0.7000), p = 0.0010, 0.0020 after Holm: a real difference."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("2 of 5 metrics are left out: 1 not finite somewhere, 1 constant somewhere"),
            std::string::npos);
  const std::string longer = format_correlations({known()}, Format::table, 3);
  EXPECT_EQ(count(longer, "sum_sum_prob_none"), 2u);
  EXPECT_EQ(count(longer, "<1e-300"), 1u);
}

TEST(PregenReport, SaysWhyThereIsNoTest) {
  PregenCorrelations result = known();
  result.comparisons[0].p = NAN;
  const std::string drawn = format_correlations({result}, Format::table, 1);
  EXPECT_NE(
      drawn.find("is 0.3200 higher than that of perplexity; some draws are constant, so there is no test."),
      std::string::npos)
      << drawn;
  result.systems[0] = 1;
  const std::string one = format_correlations({result}, Format::table, 1);
  EXPECT_NE(one.find("than that of perplexity; with one system there is no test."), std::string::npos) << one;
}

TEST(PregenReport, OtherFormatsForPeople) {
  const std::string markdown = format_correlations({known()}, Format::markdown, 2);
  EXPECT_NE(markdown.find("| all | mean\\_max\\_normcount\\_prefix0 | 1 | **1.0000** |"), std::string::npos)
      << markdown;
  EXPECT_NE(format_correlations({known()}, Format::latex, 2).find("\\textbf{1.0000}"), std::string::npos);
}

TEST(PregenReport, ProgramsGetEverything) {
  const std::string csv = format_correlations({known()}, Format::csv, 1);
  EXPECT_EQ(count(csv, "\n"), 7u);
  EXPECT_NE(csv.find("CIDEr,all,sum_sum_prob_none,2,0.5625,nan,nan,0.75,0.0\n"), std::string::npos) << csv;
  const auto json = nlohmann::json::parse(format_correlations({known()}, Format::json, 1));
  const auto& all = json.at("posts").at("CIDEr").at("selections").at("all");
  EXPECT_EQ(all.at("systems"), 24);
  EXPECT_EQ(all.at("metrics").size(), 3u);
  EXPECT_EQ(all.at("metrics").at(kBest).at("rank"), 1);
  EXPECT_EQ(all.at("metrics").at(kPerplexity).at("R"), -.6);
  EXPECT_EQ(all.at("best_against_perplexity").at("real"), true);
  EXPECT_EQ(json.at("posts").at("CIDEr").at("left_out").at("constant")[0], "max_max_prob_none");
  EXPECT_EQ(json.at("between_posts").at("CIDEr").at("WMD"), .25);
}

TEST(PregenPictures, ShowWhatTheyAreAbout) {
  const std::vector<NamedContent> pictures = draw_correlations({known()}, 1);
  ASSERT_EQ(pictures.size(), 4u);
  EXPECT_EQ(pictures[0].name, "bars-cider.svg");
  EXPECT_NE(pictures[0].content.find("3. geomean_join_pplx_none (perplexity)"), std::string::npos);
  EXPECT_EQ(pictures[0].content.find("sum_sum_prob_none"), std::string::npos);
  EXPECT_EQ(pictures[1].name, "tiers-cider.svg");
  for (const char* part : {">geomean_join<", ">min_join<", ">normcount_prefix0<", ">inf<", ">0.56<"})
    EXPECT_NE(pictures[1].content.find(part), std::string::npos) << part;
  EXPECT_NE(pictures[1].content.find("501 values left out"), std::string::npos);
  EXPECT_EQ(pictures[2].name, "scatter-cider-mean_max_normcount_prefix0.svg");
  for (const char* part : {"flickr8k, R² = 0.810", "all, R² = 1.000", ">par<",
                           "flickr8k par 1, stratum 2 of 2", "2 points shown", "1 point left out"})
    EXPECT_NE(pictures[2].content.find(part), std::string::npos) << part;
  EXPECT_EQ(pictures[3].name, "post-gen.svg");
}

TEST(PregenPictures, NamesThatDifferInCaseAndMarksAloneGetNumbers) {
  std::vector<PregenCorrelations> results(3, known());
  results[1].post = "CIDER";
  results[2].post = "cider";
  std::set<std::string> names;
  for (const NamedContent& picture : draw_correlations(results, 1)) {
    names.insert(picture.name);
    if (picture.name == "bars-cider-2.svg") {
      EXPECT_NE(picture.content.find("CIDER"), std::string::npos);
    }
  }
  EXPECT_EQ(names.size(), 10u);
  for (const char* name : {"bars-cider.svg", "bars-cider-2.svg", "bars-cider-3.svg", "tiers-cider-3.svg",
                           "scatter-cider-mean_max_normcount_prefix0-2.svg"})
    EXPECT_TRUE(names.contains(name)) << name;
}

}  // namespace
}  // namespace capella::report
