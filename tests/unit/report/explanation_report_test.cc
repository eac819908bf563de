#include "report/explanation_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace capella::report {
namespace {

using nlohmann::json;

std::vector<Explanation> two_explanations() {
  Explanation bleu;
  bleu.metric = "bleu";
  bleu.summary = {"BLEU-1 = 0.5"};
  bleu.tables = {{"n-grams", {"n-gram", "counted"}, {{"a dog", "1"}}}};
  Explanation meteor;
  meteor.metric = "meteor";
  meteor.alignments = {
      {"METEOR", "caption", "reference", {"big", "dog"}, {"large", "dogs"}, {"stem", "synonym"}, {}}};
  meteor.alignments[0].links = {{0, 1, 0, 1, 1}, {1, 1, 1, 1, 0}};
  return {bleu, meteor};
}

TEST(Explanations, AreText) {
  const std::string text = format_explanations(two_explanations(), Format::table);
  EXPECT_NE(text.find("== bleu ==\nBLEU-1 = 0.5\n"), std::string::npos);
  EXPECT_NE(text.find("a dog"), std::string::npos);
}

TEST(Explanations, AlignWordsLeftAndNumbersRight) {
  Explanation meteor;
  meteor.tables = {{"pairs",
                    {"chunk", "caption", "how", "weight"},
                    {{"1", "a", "exact", "1"}, {"10", "dog", "stem", "0.6"}}}};
  EXPECT_NE(format_explanations({meteor}, Format::table)
                .find("chunk  caption  how    weight\n"
                      "-----  -------  -----  ------\n"
                      "1      a        exact       1\n"
                      "10     dog      stem      0.6\n"),
            std::string::npos);
}

TEST(Explanations, AreJson) {
  const json parsed = json::parse(format_explanations(two_explanations(), Format::json));
  EXPECT_EQ(parsed[0].at("tables")[0].at("rows")[0], json::parse(R"(["a dog", "1"])"));
  EXPECT_EQ(parsed[0].at("alignments"), json::array());
  EXPECT_EQ(parsed[1].at("alignments"), json::parse(R"([{
      "title": "METEOR",
      "upper_name": "caption", "upper": ["big", "dog"],
      "lower_name": "reference", "lower": ["large", "dogs"],
      "links": [{"upper": [0, 1], "lower": [0, 1], "kind": "synonym"},
                {"upper": [1, 1], "lower": [1, 1], "kind": "stem"}]}])"));
}

TEST(Explanations, ArePictures) {
  const std::string picture = draw_explanations(two_explanations());
  EXPECT_NE(picture.find(">large</text>"), std::string::npos) << picture;
  EXPECT_EQ(picture.find("bleu"), std::string::npos);
}

}  // namespace
}  // namespace capella::report
