#include "report/result_report.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/version.h"

#include "support/message_of.h"

namespace capella::report {
namespace {

using nlohmann::json;

Result two_systems() {
  Result result;
  result.columns = {{"BLEU-3", 1, 100, "BLEU-3|ref:closest"},
                    {"BLEU-4", 1, 100, "BLEU-4|ref:closest"},
                    {"chrF", 100, 1, "chrF|nc:6"}};
  result.ids = {"7", "x\"y"};
  result.systems = {{"ours", {0.5, 0.25, 40.0}, {0.5, 0.2, 30, 0.5, 0.3, 50}},
                    {"th|eirs", {1.0 / 3.0, 0.375, 40.0}, {0, 0, std::nan(""), 1, 1, 100}}};
  result.skipped = {{"9", "no caption"}};
  return result;
}

TEST(ResultJson, HasTheContractsShape) {
  const json report = json::parse(format_result(two_systems(), Format::json));
  EXPECT_EQ(report.at("capella"), std::string(kVersion));
  EXPECT_EQ(report.at("items"), 2);
  EXPECT_EQ(report.at("systems").size(), 2u);
  EXPECT_EQ(report.at("systems")[1].at("system"), "th|eirs");
  EXPECT_EQ(report.at("systems")[1].at("scores").at("BLEU-3").at("value").get<double>(), 1.0 / 3.0);
  EXPECT_EQ(report.at("systems")[0].at("scores").at("chrF").at("signature"), "chrF|nc:6");
  EXPECT_FALSE(report.at("systems")[0].at("scores").at("chrF").contains("low"));
  EXPECT_EQ(report.at("skipped"), json::parse(R"([{"id": "9", "why": "no caption"}])"));
}

TEST(ResultJson, KeepsTheOrderOfSystemsAndScores) {
  const std::string report = format_result(two_systems(), Format::json);
  EXPECT_LT(report.find("\"ours\""), report.find("\"th|eirs\""));
  EXPECT_LT(report.find("\"BLEU-3\""), report.find("\"BLEU-4\""));
  EXPECT_LT(report.find("\"BLEU-4\""), report.find("\"chrF\""));
}

TEST(ResultJson, TakesNamesThatAreNoUtf8) {
  Result result = two_systems();
  result.systems[0].name = "\xFFname";
  EXPECT_EQ(json::parse(format_result(result, Format::json)).at("systems")[0].at("system"), "\uFFFDname");
  EXPECT_NO_THROW(item_lines(result));
}

TEST(ResultTable, ShowsTheDisplayScaleAndSaysSo) {
  EXPECT_EQ(format_result(two_systems(), Format::table),
            "system   BLEU-3  BLEU-4   chrF\n"
            "-------  ------  ------  -----\n"
            "ours      50.00   25.00  40.00\n"
            "th|eirs   33.33   37.50  40.00\n"
            "\n"
            "2 items\n"
            "BLEU-3, BLEU-4|ref:closest  (shown x100)\n"
            "chrF|nc:6\n");
}

TEST(ResultMarkdown, MarksTheHighestOfEachColumnAlsoTies) {
  const std::string report = format_result(two_systems(), Format::markdown);
  EXPECT_NE(report.find("| ours | **50.00** | 25.00 | **40.00** |\n"), std::string::npos) << report;
  EXPECT_NE(report.find("| th\\|eirs | 33.33 | **37.50** | **40.00** |\n"), std::string::npos) << report;
}

TEST(ResultMarkdown, MarksNothingWhenThereIsOneSystem) {
  Result result = two_systems();
  result.systems.pop_back();
  EXPECT_EQ(format_result(result, Format::markdown).find("**"), std::string::npos);
}

TEST(ResultCsvAndPlain, HoldNaturalValuesInFull) {
  EXPECT_EQ(format_result(two_systems(), Format::csv),
            "system,BLEU-3,BLEU-4,chrF\nours,0.5,0.25,40\nth|eirs,0.3333333333333333,0.375,40\n");
  EXPECT_TRUE(format_result(two_systems(), Format::plain)
                  .starts_with("ours\tBLEU-3\t0.5\nours\tBLEU-4\t0.25\nours\tchrF\t40\n"));
}

TEST(ResultLatex, SignaturesAreComments) {
  const std::string report = format_result(two_systems(), Format::latex);
  EXPECT_NE(report.find("\n% 2 items\n% BLEU-3, BLEU-4|ref:closest"), std::string::npos) << report;
}

TEST(ItemLines, AreOneJsonObjectPerSystemAndItem) {
  EXPECT_EQ(item_lines(two_systems()),
            R"({"system":"ours","id":"7","scores":{"BLEU-3":0.5,"BLEU-4":0.2,"chrF":30.0}})"
            "\n"
            R"({"system":"ours","id":"x\"y","scores":{"BLEU-3":0.5,"BLEU-4":0.3,"chrF":50.0}})"
            "\n"
            R"({"system":"th|eirs","id":"7","scores":{"BLEU-3":0.0,"BLEU-4":0.0,"chrF":"nan"}})"
            "\n"
            R"({"system":"th|eirs","id":"x\"y","scores":{"BLEU-3":1.0,"BLEU-4":1.0,"chrF":100.0}})"
            "\n");
}

TEST(FormatByName, OffersTheNearest) {
  EXPECT_EQ(format_by_name("latex"), Format::latex);
  EXPECT_EQ(format_by_name("md"), Format::markdown);
  EXPECT_EQ(test::message_of<UsageError>([] { format_by_name("jsn"); }),
            "unknown format 'jsn'; did you mean 'json'? Valid: table, json, csv, md, latex, plain");
}

}  // namespace
}  // namespace capella::report
