// What the stages did, a whole run, and their pictures.
#include "report/mln_stage_report.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/mln_pictures.h"
#include "report/mln_study_report.h"
#include "support/text_search.h"

namespace capella::report {
namespace {

using test::count;
using test::has;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << (part) << " is not in\n" << (text)

nlohmann::json parsed(const std::string& text) {
  return nlohmann::json::parse(text);
}

TEST(MlnStageReport, Triplets) {
  TripletSummary summary{5, 25, 60, 7, 2, 3, {{"wear", 20}, {"sit on", 10}}};
  const std::string table = format_triplets(summary, Format::table);
  for (const char* part : {"images left out", "captions without a triplet", "predicates", "sit on"})
    EXPECT_HAS(table, part);
  const auto json = parsed(format_triplets(summary, Format::json));
  EXPECT_EQ(json["images"], 5);
  EXPECT_TRUE(json["images"].is_number_integer());
  EXPECT_EQ(json["captions without a triplet"], 3);
  EXPECT_EQ(json["common"], (nlohmann::json{{"wear", 20}, {"sit on", 10}}));
  summary.common.clear();
  EXPECT_EQ(parsed(format_triplets(summary, Format::json))["common"], nlohmann::json::object());
}

TEST(MlnStageReport, Structure) {
  StructureSummary summary;
  summary.images = 9;
  summary.formulas = 12;
  summary.by_length = {8, 4};
  summary.best = {{"On(x,y) ^ Ride(x,y)", 7.}};
  const std::string table = format_structure(summary, Format::markdown);
  EXPECT_HAS(table, "| formulas kept | 12 |");
  EXPECT_HAS(table, "| kept, of 1 literal | 8 |");
  EXPECT_HAS(table, "| kept, of 2 literals | 4 |");
  EXPECT_HAS(table, "| On(x,y) ^ Ride(x,y) | 7 |");
  EXPECT_EQ(parsed(format_structure(summary, Format::json))["best"]["On(x,y) ^ Ride(x,y)"], 7);
}

TEST(MlnStageReport, AttentionNetworks) {
  MilSummary summary;
  summary.attention = "gated";
  summary.predicates = {{"ride", 40, 6, 20, .9, .8, .3, .4, .1, .05},
                        {"on", 8, 0, 3, kNone, kNone, kNone, kNone, kNone, kNone}};
  summary.mean_auc = .9;
  summary.other_mean_auc = kNone;
  const std::string alone = format_mil(summary, Format::table);
  EXPECT_HAS(alone, "AUC gated");
  EXPECT_FALSE(has(alone, "AUC plain"));
  EXPECT_FALSE(has(alone, "nan"));
  EXPECT_FALSE(parsed(format_mil(summary, Format::json)).contains("mean_auc_plain"));
  summary.other_mean_auc = .8;
  EXPECT_HAS(format_mil(summary, Format::table), "AUC plain");
  const auto json = parsed(format_mil(summary, Format::json));
  EXPECT_EQ(json["mean_auc_plain"], .8);
  EXPECT_EQ(json["predicates"][0]["auc_plain"], .8);
  EXPECT_EQ(json["predicates"][0]["told"], 6);
  EXPECT_EQ(json["predicates"][1]["auc"], "nan");
}

TEST(MlnStageReport, GroundAndEntailment) {
  EXPECT_HAS(format_ground({5, 1, 40, 90, 17, 6}, Format::markdown), "| atoms of the largest network | 17 |");
  const auto ground = parsed(format_ground({5, 1, 40, 90, 17, 6}, Format::json));
  EXPECT_EQ(ground["images without a network"], 1);
  EXPECT_EQ(ground["ground formulas"], 90);
  NliSummary judged;
  judged.captions = 10;
  judged.questions = 100;
  judged.entailed = 20;
  judged.contradicted = 15;
  judged.unseen = 4;
  const auto nli = parsed(format_nli(judged, Format::json));
  EXPECT_EQ(nli["neutral"], 65);
  EXPECT_EQ(nli["claims about undetected things"], 4);
}

TEST(MlnStageReport, AccuracyOfTheJudge) {
  NliAccuracy accuracy;
  accuracy.pairs = 10;
  accuracy.accuracy = .7;
  accuracy.interval = {.5, .9};
  accuracy.confusion = {{{2, 1, 0}, {1, 3, 0}, {0, 1, 2}}};
  const std::string table = format_nli_accuracy(accuracy, Format::table);
  EXPECT_HAS(table, "75.0 %");  // 3 of 4 that are neutral
  EXPECT_HAS(table, "10 pairs, accuracy 70.0 % [50.0, 90.0]");
  const auto json = parsed(format_nli_accuracy(accuracy, Format::json));
  EXPECT_EQ(json["confusion"]["neutral"]["contradiction"], 1);
  EXPECT_EQ(json["low"], .5);
}

JudgedSystem system_of(const std::string& name, double log_prob) {
  JudgedSystem made;
  made.system = name;
  made.captions = made.scored = 4;
  made.log_prob = log_prob;
  made.log_prob_unseen = log_prob - 1;
  made.variance = .1;
  made.interval = {log_prob - .125, log_prob + .125};
  made.unseen_interval = {log_prob - 2, log_prob};
  return made;
}

MlnStudy some_study() {
  MlnStudy study;
  study.generated = true;
  study.test_images = 4;
  study.stages = {{"rules", "rules.mln", "| formulas | 12 |\n", true},
                  {"probabilities", "results.json", "", false}};
  study.verification.systems = {system_of("wrong-relation-0.00", -.25),
                                system_of("wrong-relation-1.00", -1.25)};
  study.verification.unseen_p = .1;
  ErrorKindFinding kind;
  kind.kind = "wrong-relation";
  kind.rates = {0, 1};
  kind.systems = study.verification.systems;
  kind.kendall = 1;
  kind.kendall_unseen = .5;
  kind.apart = true;
  kind.ends = {"wrong-relation-0.00", "wrong-relation-1.00", 4, 1, {.75, 1.25}, .001};
  kind.ends_unseen = {"wrong-relation-0.00", "wrong-relation-1.00", 4, kNone, {kNone, kNone}, kNone};
  study.kinds = {kind};
  study.returned = {{"On(x,y) ^ Ride(x,y)", .8, .75, .025}};
  study.ranking = rank_systems({"wrong-relation-0.00", "wrong-relation-1.00"}, {"SPICE"}, {{21, 20}},
                               {-.25, -1.25}, {.1, .1});
  study.concepts.rows = {{"Ride", "wrong-relation-0.00", 40, .5, {.4, .6}, false}};
  study.people.histogram.assign(10, 1);
  MlnExplanation explanation;
  explanation.median = kNone;
  explanation.text = "a man";
  explanation.caption.skipped = "no_network";
  study.explanations = {explanation};
  return study;
}

TEST(MlnStudyReport, TellsEverythingOfAWorld) {
  const std::string text = format_mln_study(some_study(), Format::markdown);
  EXPECT_TRUE(text.starts_with(
      "# Verification of captions by Markov logic\n\nA generated world: nothing in it comes"));
  for (const char* part :
       {"## Which errors are seen",
        "perfect order; loses 1.000 [0.750, 1.250]; intervals of both ends lie apart",
        "Kendall 0.50; loses - -; intervals of both ends overlap",
        "## Known weights, learned from what was drawn from them", "| 0.80 | 0.7500 | 0.0250 | 2.00 |",
        "## Uncertainty per concept", "## People's ranks of claims", "## Beside other metrics",
        "## Explanations", "\"a man\"", "### rules (rules.mln)\n\n| formulas | 12 |"})
    EXPECT_HAS(text, part);
  EXPECT_FALSE(has(text, "nan"));
  EXPECT_FALSE(has(text, "### probabilities"));  // it has no words
  EXPECT_FALSE(has(format_mln_study(some_study(), Format::table), "## "));
}

// A second run, which reuses what lies there, must give the same bytes.
TEST(MlnStudyReport, DoesNotTellWhatWasReused) {
  MlnStudy again = some_study();
  again.stages[1].reused = true;
  for (const Format format : {Format::markdown, Format::json, Format::table})
    EXPECT_EQ(format_mln_study(again, format), format_mln_study(some_study(), format));
}

TEST(MlnStudyReport, Json) {
  const auto json = parsed(format_mln_study(some_study(), Format::json));
  EXPECT_EQ(json["kinds"][0]["kendall"], 1);
  EXPECT_EQ(json["kinds"][0]["difference_unseen"], "nan");
  EXPECT_EQ(json["returned_weights"][0]["truth"], .8);
  EXPECT_EQ(json["verification"]["systems"].size(), 2u);
  EXPECT_EQ(json["explanations"][0]["caption"], "a man");
  EXPECT_EQ(json["stages"][0], (nlohmann::json{{"stage", "rules"}, {"file", "rules.mln"}}));
}

TEST(MlnStudyReport, OnOwnCaptionsNothingIsSaidOfAWorld) {
  MlnStudy study = some_study();
  study.generated = false;
  const std::string text = format_mln_study(study, Format::markdown);
  EXPECT_HAS(text, "Things that references mention stand in for a detector's");
  EXPECT_FALSE(has(text, "Known weights"));
  EXPECT_FALSE(parsed(format_mln_study(study, Format::json)).contains("kinds"));
}

TEST(MlnPictures, SystemsHaveBarsOfUncertainty) {
  Verification verification = some_study().verification;
  verification.systems.push_back(system_of("none", kNone));
  const std::string both = draw_systems(verification);
  EXPECT_TRUE(both.starts_with("<svg"));
  EXPECT_HAS(both, "0.250");  // minus Log-Prob
  EXPECT_HAS(both, "with claims about undetected things");
  EXPECT_FALSE(has(both, "nan"));
  verification.unseen_p = 0;
  EXPECT_FALSE(has(draw_systems(verification), "undetected"));
}

TEST(MlnPictures, RanksHaveTheVarianceAsABar) {
  RankedSystems ranking = published_ranking(false);
  const std::string picture = draw_ranking(ranking, "Published");
  EXPECT_HAS(picture, "Pearson -0.768, Spearman -0.738, Kendall -0.643; bars: variance");
  EXPECT_HAS(picture, "AoANet-rl");
  ranking.pearson = kNone;
  EXPECT_HAS(draw_ranking(ranking, "Published"), "Pearson -, ");
}

TEST(MlnPictures, ConceptsPeopleAndErrors) {
  const MlnStudy study = some_study();
  EXPECT_HAS(draw_concepts(study.concepts), "Ride (40)");
  HumanRanking people = study.people;
  people.mean = .5;
  people.interval = {kNone, kNone};
  EXPECT_HAS(draw_human_ranking(people), "0 images, mean 0.500 -");
  EXPECT_HAS(draw_human_ranking(people), "-1.0 to -0.8");
  const std::string seen = draw_error_kinds(study.kinds, false);
  EXPECT_HAS(seen, "wrong-relation");
  EXPECT_HAS(seen, "claims about detected things only");
  EXPECT_HAS(draw_error_kinds(study.kinds, true), "claims about undetected things counted");
  EXPECT_GT(count(seen, "<line"), 0u);
}

}  // namespace
}  // namespace capella::report
