#include "report/parse_report.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/text_search.h"
#include "syntax/conll.h"

namespace capella::report {
namespace {

using test::count;

ParsedCaption caption() {
  return {"7",
          "a \"tall\" man on <b>",
          {{{"man", "man", "NN", 0, "root"}, {"on", "on", "IN", 3, "case"}, {"<b>", "<b>", "NN", 1, "nmod"}}},
          {{"<b>"}, {"man"}, {"man", "on", "<b>"}, {"man", "tall"}}};
}

std::string format(const ParsedCaption& one, ParseFormat format) {
  return format_parses({&one, 1}, format);
}

TEST(ParseReport, GraphIsALineOfJson) {
  EXPECT_EQ(
      format(caption(), ParseFormat::graph),
      R"({"id":"7","text":"a \"tall\" man on <b>","tuples":[["<b>"],["man"],["man","on","<b>"],["man","tall"]]})"
      "\n");
  EXPECT_EQ(format({"", "x", {}, {}}, ParseFormat::graph), "{\"text\":\"x\",\"tuples\":[]}\n");
}

TEST(ParseReport, ConllIsReadAgain) {
  const auto read = syntax::parse_trees("text", format(caption(), ParseFormat::conll));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].text, caption().text);
  ASSERT_EQ(read[0].sentences.size(), 1u);
  EXPECT_EQ(read[0].sentences[0].tokens[2].word, "<b>");
  EXPECT_EQ(read[0].sentences[0].tokens[2].head, 1);
}

TEST(ParseReport, DotNamesEveryNodeOnce) {
  const std::string dot = format(caption(), ParseFormat::dot);
  EXPECT_EQ(count(dot, "label=\"man\""), 1u) << dot;
  EXPECT_EQ(count(dot, "label=\"on\""), 1u);
  EXPECT_EQ(count(dot, "label=\"a \\\"tall\\\" man on <b>\""), 1u);
  EXPECT_EQ(count(dot, "->"), 3u);
  EXPECT_EQ(count(dot, "{"), count(dot, "}"));
}

TEST(ParseReport, PicturesHoldEveryWordEscaped) {
  const std::string picture = format(caption(), ParseFormat::svg);
  for (const char* word : {"man", "&lt;b&gt;", "on", "tall", "a &quot;tall&quot; man on &lt;b&gt;"})
    EXPECT_EQ(count(picture, '>' + std::string(word) + "</text>"), 1u) << word << '\n' << picture;
  EXPECT_EQ(count(picture, "<title>man - on - &lt;b&gt;</title>"), 1u);
}

TEST(ParseReport, PicturesTakeAnything) {
  const ParsedCaption odd{
      "", "", {}, {{"a"}, {"a", "is", "a"}, {"a", "near", "b"}, {"b"}, {"b", "near", "a"}}};
  EXPECT_NE(format(odd, ParseFormat::svg).find("</svg>"), std::string::npos);
  EXPECT_NE(format({"", "nothing", {}, {}}, ParseFormat::svg).find("no objects"), std::string::npos);
  EXPECT_NE(format_parses({}, ParseFormat::svg).find("</svg>"), std::string::npos);
}

TEST(ParseReport, FormatsHaveNames) {
  EXPECT_EQ(parse_format_by_name("conll"), ParseFormat::conll);
  EXPECT_THROW(parse_format_by_name("table"), UsageError);
}

}  // namespace
}  // namespace capella::report
