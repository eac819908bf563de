// Tables and explanations of Markov-logic verification: the words that a reader needs are there.
#include "report/mln_report.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "support/text_search.h"

namespace capella::report {
namespace {

using test::has;

constexpr double kMlnReportNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMlnReportInfinity = std::numeric_limits<double>::infinity();

#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << (part) << " is not in\n" << (text)

nlohmann::json mln_report_parsed(const std::string& text) {
  return nlohmann::json::parse(text);
}

JudgedSystem mln_report_system_of(const std::string& name, double log_prob) {
  JudgedSystem made;
  made.system = name;
  made.captions = 10;
  made.scored = 8;
  made.no_network = made.empty_query = 1;
  made.claims = 20;
  made.contradicted = 5;
  made.unseen = 3;
  made.log_prob = log_prob;
  made.variance = .0925;
  made.deviation = std::sqrt(.0925);
  made.interval = {log_prob - .1, log_prob + .1};
  made.log_p = 2 * log_prob;
  made.log_prob_unseen = log_prob - 1;
  made.unseen_interval = {log_prob - 2, log_prob};
  return made;
}

JudgedSystem silent_system() {
  JudgedSystem made = mln_report_system_of("silent", kMlnReportNone);
  made.scored = 0;
  made.no_network = 10;
  made.empty_query = 0;
  made.variance = made.deviation = made.log_p = made.log_prob_unseen = kMlnReportNone;
  made.interval = made.unseen_interval = {kMlnReportNone, kMlnReportNone};
  return made;
}

Verification some_verification() {
  Verification made;
  made.systems = {mln_report_system_of("worse", -.5), silent_system(), mln_report_system_of("better", -.25)};
  made.pairs = {{"better", "worse", 7, .25, {.1, .4}, .002, .004, Verdict::real}};
  made.methods = {{"exact", 22}, {"gibbs", 2}};
  made.notes = {"mute: no verdict."};
  return made;
}

TEST(MlnReport, SystemsTheMostProbableFirstWithCoverage) {
  const std::string table = format_verification(some_verification(), Format::table);
  EXPECT_LT(table.find("better"), table.find("worse"));
  EXPECT_LT(table.find("worse"), table.find("silent"));  // without a verdict: last
  for (const char* part :
       {"8 of 10", "0 of 10", "-0.2500", "[-0.3500, -0.1500]", "Log-Prob", "Var", "joint", "contradicted"})
    EXPECT_HAS(table, part);
  EXPECT_HAS(table, "0.2500  [0.1000, 0.4000]  0.0020    0.0040   better");  // how they differ
  EXPECT_HAS(table, "Log-Prob: mean over captions of the mean ln P of their claims");
  EXPECT_HAS(table, "Captions by method of inference: exact 22, gibbs 2.");
  EXPECT_HAS(table, "12 captions of images that no rule is about, 2 that say nothing the rules know.");
  EXPECT_HAS(table, "mute: no verdict.");
  EXPECT_FALSE(has(table, "nan"));
  EXPECT_FALSE(has(table, "impossible"));
  EXPECT_FALSE(has(table, "with unseen"));
}

TEST(MlnReport, WithUnseenClaimsTheTableGoesByThem) {
  Verification verification = some_verification();
  verification.unseen_p = .0625;
  verification.systems[0].log_prob_unseen = -.01;
  const std::string table = format_verification(verification, Format::markdown);
  EXPECT_LT(table.find("| worse"), table.find("| better"));
  EXPECT_HAS(table, "with unseen");
  EXPECT_HAS(table, "a claim about an undetected thing is as probable as the caption's others, times 0.0625");
}

TEST(MlnReport, ImpossibleCaptionsAreCounted) {
  Verification verification = some_verification();
  verification.systems[0].impossible = 2;
  verification.systems[2].without_rule = 5;
  const std::string table = format_verification(verification, Format::table);
  EXPECT_HAS(table, "2 scored captions say what is impossible by hard rules");
  EXPECT_HAS(table, "5 claims about detected things that no rule is about do not count.");
  const auto json = mln_report_parsed(format_verification(verification, Format::json));
  EXPECT_EQ(json["systems"][0]["n_impossible"], 2);
  EXPECT_EQ(json["systems"][2]["without_rule"], 5);
}

TEST(MlnReport, PairsSayWhatTheTestSaysAndNoMore) {
  Verification verification = some_verification();
  const auto words = [&](Verdict verdict, double difference) {
    verification.pairs[0].verdict = verdict;
    verification.pairs[0].difference = difference;
    const std::string csv = format_verification(verification, Format::markdown);
    const std::string row = csv.substr(csv.rfind("| better"));
    return row.substr(0, row.find('\n'));
  };
  EXPECT_HAS(words(Verdict::real, .25), "better |");
  EXPECT_HAS(words(Verdict::real, -.25), "worse |");
  EXPECT_HAS(words(Verdict::not_real, .25), "no real difference |");
  EXPECT_HAS(words(Verdict::undecided, .25), "undecided |");
  EXPECT_TRUE(
      mln_report_parsed(format_verification(verification, Format::json))["pairs"][0]["real"].is_null());
}

TEST(MlnReport, JsonOfSystems) {
  const auto json = mln_report_parsed(format_verification(some_verification(), Format::json));
  ASSERT_EQ(json["systems"].size(), 3u);
  EXPECT_EQ(json["systems"][0]["system"], "worse");  // as they came
  EXPECT_EQ(json["systems"][0]["per_atom_mean"], -.5);
  EXPECT_EQ(json["systems"][0]["ci95"], (nlohmann::json{-.6, -.4}));
  EXPECT_EQ(json["systems"][1]["per_atom_mean"], "nan");
  EXPECT_FALSE(json["systems"][0].contains("per_atom_mean_unseen"));
  EXPECT_EQ(json["pairs"][0]["p"], .002);
  EXPECT_EQ(json["methods"]["gibbs"], 2);
  const std::string csv = format_verification(some_verification(), Format::csv);
  EXPECT_TRUE(csv.starts_with("system,scored,Log-Prob,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 4);  // no words
}

ExplainedClaim explained(const Claim& claim, bool entailed, double p) {
  ExplainedClaim made;
  made.judged = {claim, entailed, p, .5};
  return made;
}

MlnExplanation wrong_relation() {
  MlnExplanation made;
  made.text = "a man holds a bike";
  made.median = -.7;
  made.caption.system = "s";
  made.caption.image = "17";
  made.caption.method = "exact";
  made.caption.log_p = -2.5;
  made.caption.log_prob = -1.25;
  ExplainedClaim bad = explained({"man", "hold", "bike"}, true, .12);
  bad.object_log_odds = -.75;
  bad.without = 2.125;
  bad.reasons = {{"Hold(x,y) ^ Ride(x,y)", "hold(man, bike) and ride(man, bike)", -1.5, .9, -1.35},
                 {"Hold(x,y)", "hold(man, bike)", .5, 1, .5, false, 1},
                 {"Hold(x,y) ^ On(x,y)", "hold(man, bike) and on(man, bike)", -.4, 1, -.4},
                 {"Hold(x,y) ^ In(x,y)", "hold(man, bike) and in(man, bike)", -.3, 1, -.3},
                 {"tiny", "tiny", .01, 1, .01}};
  ExplainedClaim good = explained({"man", "wear", "helmet"}, false, .97);
  made.claims = {bad, good};
  made.caption.claims = {good.judged, bad.judged};
  return made;
}

TEST(MlnExplanation, TellsWhatSpeaksForAndAgainstEachClaim) {
  const std::string text = format_mln_explanation(wrong_relation(), Format::table);
  EXPECT_TRUE(
      text.starts_with("\"a man holds a bike\"\ns, image 17: log-probability -1.250 per claim, -2.500 for "
                       "all together (exact)"));
  EXPECT_HAS(text, "less certain than the system's median, -0.700");
  EXPECT_HAS(text, "UNLIKELY      hold(man, bike)  (P = 0.12)");
  EXPECT_HAS(text, "-0.75  the boxes in the image");
  EXPECT_HAS(text, "-1.35  rule Hold(x,y) ^ Ride(x,y) (-1.50): hold(man, bike) and ride(man, bike)");
  EXPECT_HAS(text, "+0.50  such a claim is made often: Hold(x,y)");
  EXPECT_HAS(text, "-0.29  all other rules together");  // -.3 + .01: three are told
  EXPECT_HAS(text, "likely        not wear(man, helmet)  (P = 0.97)");
  EXPECT_HAS(text,
             "Most doubtful: hold(man, bike). Without it the log-probability would be 2.12 nats higher.");
  EXPECT_FALSE(has(text, "NOT SEEN"));
  EXPECT_TRUE(format_mln_explanation(wrong_relation(), Format::markdown).starts_with("```\n"));
  EXPECT_HAS(format_mln_explanation(wrong_relation(), Format::table, 1), "-0.19  all other rules together");
}

TEST(MlnExplanation, TellsTheLeastLikelyOfManyClaims) {
  MlnExplanation many = wrong_relation();
  for (int k = 0; k < 6; ++k) many.claims.push_back(explained({"man", "near", std::to_string(k)}, true, .98));
  const std::string text = format_mln_explanation(many, Format::table);
  EXPECT_HAS(text, "near(man, 3)");
  EXPECT_FALSE(has(text, "near(man, 4)"));
  EXPECT_HAS(text, "and 2 more that are more likely");
  EXPECT_EQ(mln_report_parsed(format_mln_explanation(many, Format::json))["claims"].size(), 8u);
}

TEST(MlnExplanation, TellsThatAllIsWell) {
  MlnExplanation good = wrong_relation();
  good.claims.erase(good.claims.begin());
  good.caption.claims.pop_back();
  good.caption.log_prob = good.median;
  good.text = "";
  const std::string text = format_mln_explanation(good, Format::table);
  EXPECT_TRUE(text.starts_with("s, image 17: "));
  EXPECT_HAS(text, "; no less certain than the system's median");
  EXPECT_HAS(text, "All that can be checked is more likely than not; the surest is not wear(man, helmet).");
}

TEST(MlnExplanation, TellsOfThingsThatWereNotDetected) {
  MlnExplanation invented = wrong_relation();
  invented.caption.unseen = {{"dog", "on", "mat"}, {"dog", "eat", "bone"}};
  EXPECT_HAS(format_mln_explanation(invented, Format::table),
             "NOT SEEN: on(dog, mat), eat(dog, bone). Something it speaks of was not detected in the image.");
}

TEST(MlnExplanation, WithoutAVerdictItSaysWhy) {
  MlnExplanation none;
  none.median = kMlnReportNone;
  none.caption.system = "s";
  none.caption.image = "17";
  none.caption.skipped = "no_network";
  EXPECT_EQ(format_mln_explanation(none, Format::table),
            "s, image 17: no verdict\n  No learned rule is about the things in this image.\n");
  none.caption.skipped = "empty_query";
  EXPECT_HAS(format_mln_explanation(none, Format::table),
             "Nothing that the rules know of this image is said or denied.");
  EXPECT_EQ(mln_report_parsed(format_mln_explanation(none, Format::json))["median"], "nan");
}

TEST(MlnExplanation, ImpossibleCaptionsHaveNoNumbersButWords) {
  MlnExplanation broken = wrong_relation();
  broken.caption.log_p = -kMlnReportInfinity;
  broken.caption.skipped = "impossible";
  broken.claims[0].without = kMlnReportInfinity;
  broken.claims[0].reasons[0].contribution = -kMlnReportInfinity;
  EXPECT_HAS(format_mln_explanation(broken, Format::table),
             "-1.250 per claim, impossible for all together (exact)");
  EXPECT_HAS(format_mln_explanation(broken, Format::table),
             "Without it the caption would not be impossible.");
  broken.claims[0].without = kMlnReportNone;
  EXPECT_HAS(format_mln_explanation(broken, Format::table), "The rest is impossible, too.");
  MlnExplanation likely = broken;
  for (ExplainedClaim& claim : likely.claims) claim.judged.p = .65;
  EXPECT_HAS(format_mln_explanation(likely, Format::table), "but together they break hard rules");
  const auto json = mln_report_parsed(format_mln_explanation(broken, Format::json));
  EXPECT_EQ(json["lnP"], "-inf");
  EXPECT_EQ(json["claims"][0]["without"], "nan");
  EXPECT_EQ(json["claims"][0]["reasons"][0]["contribution"], "-inf");
}

TEST(MlnExplanation, GoesByWhatAReasonDoesAndNotByItsWeight) {
  MlnExplanation made = wrong_relation();
  // A negated atom with a positive weight; of a claim that is denied, an atom with a negative one.
  made.claims[0].reasons = {{"!Hold(x,y)", "not hold(man, bike)", 2, 1, -2, false, 1}};
  made.claims[1].reasons = {{"Wear(x,y)", "wear(man, helmet)", -1.5, 1, 1.5, false, 1}};
  const std::string text = format_mln_explanation(made, Format::table);
  EXPECT_HAS(text, "-2.00  such a claim is made seldom: !Hold(x,y)");
  EXPECT_HAS(text, "+1.50  such a claim is made seldom: Wear(x,y)");
}

TEST(MlnExplanation, HardRulesForbidAndRequire) {
  MlnExplanation made = wrong_relation();
  const ClaimReason no{"!Hold(x,y) v Ride(x,y)",
                       "not hold(man, bike) or ride(man, bike)",
                       kMlnReportInfinity,
                       1,
                       -kMlnReportInfinity,
                       true,
                       2};
  const ClaimReason soft{"Hold(x,y) ^ On(x,y)", "hold(man, bike) and on(man, bike)", -.4, 1, -.4, false, 2};
  made.claims[0].reasons = {no, no, no, soft};
  std::string text = format_mln_explanation(made, Format::table, 1);
  EXPECT_HAS(text,
             "   forbidden by rule !Hold(x,y) v Ride(x,y) (hard): not hold(man, bike) or ride(man, bike)\n");
  EXPECT_HAS(text, "   and by 2 other hard rules\n");
  EXPECT_HAS(text, "-0.40  all other rules together");
  EXPECT_FALSE(has(text, "inf"));
  made.claims[0].reasons = {no};
  made.claims[0].reasons[0].contribution = kMlnReportInfinity;
  EXPECT_HAS(format_mln_explanation(made, Format::table),
             "   required by rule !Hold(x,y) v Ride(x,y) (hard)");
  EXPECT_EQ(mln_report_parsed(format_mln_explanation(made, Format::json))["claims"][0]["reasons"][0]["hard"],
            true);
}

TEST(MlnExplanation, IsNoTable) {
  for (const Format format : {Format::csv, Format::latex, Format::plain}) {
    EXPECT_THROW(format_mln_explanation(wrong_relation(), format), UsageError);
    EXPECT_THROW(format_mln_contrast(wrong_relation(), wrong_relation(), format), UsageError);
  }
}

TEST(MlnExplanation, TellsTheNumberWithUndetectedThingsWhereItIsKnown) {
  MlnExplanation made = wrong_relation();
  made.caption.unseen = {{"dog", "on", "mat"}};
  EXPECT_FALSE(mln_report_parsed(format_mln_explanation(made, Format::json)).contains("per_atom_unseen"));
  made.caption.log_prob_unseen = -2.75;
  EXPECT_HAS(format_mln_explanation(made, Format::table), "; with what was not detected -2.750 per claim");
  EXPECT_EQ(mln_report_parsed(format_mln_explanation(made, Format::json))["per_atom_unseen"], -2.75);
}

TEST(MlnExplanation, JsonHasAllReasons) {
  const auto json = mln_report_parsed(format_mln_explanation(wrong_relation(), Format::json, 1));
  EXPECT_EQ(json["caption"], "a man holds a bike");
  EXPECT_EQ(json["claims"][0]["atom"], (nlohmann::json{"man", "hold", "bike"}));
  EXPECT_EQ(json["claims"][0]["reasons"].size(), 5u);
  EXPECT_EQ(json["claims"][0]["reasons"][0]["holds"], .9);
  EXPECT_EQ(json["claims"][0]["without"], 2.125);
  EXPECT_EQ(json["claims"][1]["status"], "contradicted");
}

TEST(MlnContrast, TellsWhatOnlyOneOfTwoSays) {
  const MlnExplanation first = wrong_relation();
  MlnExplanation second = wrong_relation();
  second.caption.system = "t";
  second.caption.log_p = -.5;
  second.claims[0] = explained({"man", "ride", "bike"}, true, .9);
  const std::string text = format_mln_contrast(first, second, Format::table);
  EXPECT_HAS(text, "The second gains 2.00 nats against the first.");
  EXPECT_HAS(text, "only the second says  ride(man, bike)  (P = 0.90)");
  EXPECT_HAS(text, "only the first says   hold(man, bike)  (P = 0.12)");
  EXPECT_HAS(text, "both say              not wear(man, helmet)  (P = 0.97)");
  EXPECT_HAS(format_mln_contrast(second, first, Format::table),
             "The second loses 2.00 nats against the first.");
  second.caption.skipped = "empty_query";
  EXPECT_HAS(format_mln_contrast(first, second, Format::table), "Not both have a verdict");
  EXPECT_FALSE(has(format_mln_contrast(second, first, Format::table), "nats"));
  const auto json = mln_report_parsed(format_mln_contrast(first, second, Format::json));
  EXPECT_EQ(json["first"]["system"], "s");
  EXPECT_EQ(json["second"]["claims"][0]["p"], .9);
}

TEST(MlnReport, Ranking) {
  RankedSystems ranking{{"a", "b"}, {"CIDEr-D", "SPICE"},  {{1.13, 1.2}, {20.5, 21}}, {{1, 2}, {1, 2}},
                        {1, 2},     {-.3, kMlnReportNone}, {.09, kMlnReportNone}};
  ranking.pearson = ranking.kendall = kMlnReportNone;
  ranking.spearman = -1;
  const std::string table = format_ranking(ranking, Format::table);
  for (const char* part : {"CIDEr-D", "average rank", "1.1300", "20.5", "-0.3000"}) EXPECT_HAS(table, part);
  EXPECT_HAS(table, "(the best has the highest) with -Log-Prob: Pearson -, Spearman -1.000, Kendall -.");
  const auto json = mln_report_parsed(format_ranking(ranking, Format::json));
  EXPECT_EQ(json["systems"][1]["scores"]["SPICE"], 21);
  EXPECT_EQ(json["systems"][1]["log_prob"], "nan");
  EXPECT_EQ(json["pearson"], "nan");
}

TEST(MlnReport, Concepts) {
  ConceptUncertainty concepts;
  concepts.rows = {{"Ride", "s", 40, .5, {.4, .6}, false},
                   {"Fly", "s", 2, .9, {kMlnReportNone, kMlnReportNone}, true}};
  concepts.ties = {"17", "18"};
  concepts.labelled = 42;
  const std::string table = format_concepts(concepts, Format::table);
  for (const char* part : {"0.5000", "[0.4000, 0.6000]", "few images",
                           "42 images have a majority label, 2 a tie.", "Without a majority: 17, 18."})
    EXPECT_HAS(table, part);
  const auto json = mln_report_parsed(format_concepts(concepts, Format::json));
  EXPECT_EQ(json["rows"][1]["few"], true);
  EXPECT_EQ(json["rows"][1]["ci95"][0], "nan");
  EXPECT_EQ(json["ties"], (nlohmann::json{"17", "18"}));
}

TEST(MlnReport, PeoplesRanks) {
  HumanRanking ranking;
  ranking.images = {{"17", .75, 5}, {"18", -.25, 4}};
  ranking.constant = 3;
  ranking.without_network = 4;
  ranking.few_claims = 6;
  ranking.mean = .25;
  ranking.interval = {-.25, .75};
  ranking.share_positive = .5;
  ranking.histogram = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const std::string table = format_human_ranking(ranking, Format::table);
  EXPECT_HAS(table, "+0.6 to +0.8");
  EXPECT_HAS(table,
             "2 images: mean correlation of people's ranks with P 0.250 [-0.250, 0.750], above 0 in 50 %");
  EXPECT_HAS(
      table,
      "3 where one side is the same for all claims, 6 whose network knows less than two of the claims, "
      "4 that have no network here");
  const auto json = mln_report_parsed(format_human_ranking(ranking, Format::json));
  EXPECT_EQ(json["images"][0]["correlation"], .75);
  EXPECT_EQ(json["few_claims"], 6);
  EXPECT_EQ(json["histogram"].size(), 10u);
}

}  // namespace
}  // namespace capella::report
