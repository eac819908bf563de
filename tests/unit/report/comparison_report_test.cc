#include "report/comparison_report.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace capella::report {
namespace {

using nlohmann::json;

// Two systems and two scores: one real difference, one that is none.
Comparison comparison_report_two_systems() {
  Comparison comparison;
  comparison.test = "bootstrap";
  Result& result = comparison.result;
  result.columns = {{"BLEU-4", 1, 100, "BLEU-4|x"}, {"CIDEr-D", 10, 100, "CIDEr-D|y"}};
  result.ids = {"1", "2"};
  result.intervals = IntervalOptions{1000, 7};
  result.systems = {{"ours", {0.36, 1.1}, {0, 0, 0, 0}, {{0.3, 0.4}, {1.0, 1.2}}},
                    {"theirs", {0.35, 1.3}, {0, 0, 0, 0}, {{0.3, 0.4}, {1.2, 1.4}}}};
  comparison.differences = {{0, 1, 0, 0.01, {-0.02, 0.04}, 0.5, 0.5, 0.4, 0.05, Verdict::not_real},
                            {0, 1, 1, -0.2, {-0.3, -0.1}, 0.00005, 0.0001, 0.0001, -0.4, Verdict::real}};
  comparison.trials = 1000;
  return comparison;
}

TEST(ComparisonReport, SaysInASentenceWhatIsReal) {
  EXPECT_EQ(comparison_sentences(comparison_report_two_systems()),
            std::vector<std::string>{
                "ours is worse than theirs on CIDEr-D (-20.00); no real difference on BLEU-4."});
  Comparison equal = comparison_report_two_systems();
  equal.differences[1].verdict = Verdict::not_real;
  EXPECT_EQ(comparison_sentences(equal),
            std::vector<std::string>{"ours and theirs: no real difference on BLEU-4, CIDEr-D."});
}

TEST(ComparisonReport, TextHasScoresDifferencesWinsAndSentences) {
  const std::string text = format_comparison(comparison_report_two_systems(), Format::table);
  for (const char* part : {"36.00 ±5.00", "+1.00", "-2.00 .. +4.00", ".5000", "<.0001", "wins over", "1 of 2",
                           "ours is worse than theirs", "Holm's correction over 2 tests", "seed 7"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(ComparisonReport, JsonHasTheResultAndTheDifferences) {
  const json whole = json::parse(format_comparison(comparison_report_two_systems(), Format::json));
  EXPECT_EQ(whole.at("systems")[0].at("scores").at("BLEU-4").at("low"), 0.3);
  EXPECT_EQ(whole.at("test"), "bootstrap");
  const json& difference = whole.at("differences")[1];
  EXPECT_EQ(difference.at("system"), "ours");
  EXPECT_EQ(difference.at("against"), "theirs");
  EXPECT_EQ(difference.at("score"), "CIDEr-D");
  EXPECT_EQ(difference.at("difference"), -0.2);
  EXPECT_EQ(difference.at("p_corrected"), 0.0001);
  EXPECT_EQ(difference.at("p_sacrebleu"), 0.0001);
  EXPECT_EQ(difference.at("real"), true);
  EXPECT_EQ(whole.at("sentences").size(), 1u);
}

TEST(ComparisonReport, JsonOfRandomizationHasNoValueOfSacreBleu) {
  Comparison comparison = comparison_report_two_systems();
  comparison.test = "randomization";
  const json whole = json::parse(format_comparison(comparison, Format::json));
  EXPECT_FALSE(whole.at("differences")[0].contains("p_sacrebleu"));
}

TEST(ComparisonReport, CsvHasNumbersAlone) {
  const std::string csv = format_comparison(comparison_report_two_systems(), Format::csv);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "system,against,score,difference,low,high,p,p_holm,effect,real");
  EXPECT_NE(csv.find("ours,theirs,BLEU-4,0.01,-0.02,0.04,0.5,0.5,0.05,no"), std::string::npos);
}

TEST(ComparisonReport, WhatIsUndefinedIsADash) {
  Comparison comparison = comparison_report_two_systems();
  comparison.differences[0].value = std::nan("");
  comparison.differences[0].p = std::nan("");
  comparison.differences[0].verdict = Verdict::undecided;
  const json whole = json::parse(format_comparison(comparison, Format::json));
  EXPECT_EQ(whole.at("differences")[0].at("p"), "nan");
  EXPECT_TRUE(whole.at("differences")[0].at("real").is_null());
  EXPECT_EQ(comparison_sentences(comparison)[0],
            "ours is worse than theirs on CIDEr-D (-20.00); undecided on BLEU-4.");
}

}  // namespace
}  // namespace capella::report
