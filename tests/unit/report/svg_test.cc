#include "report/svg.h"

#include <gtest/gtest.h>

namespace capella::report {
namespace {

// What an empty picture adds to its content.
std::string body_of(const Svg& svg) {
  const std::string whole = svg.document(1, 1, "t", "");
  const std::string before = Svg().document(1, 1, "t", "");
  const std::string_view end = "</svg>\n";
  return whole.substr(before.size() - end.size(), whole.size() - before.size());
}

TEST(EscapeXml, WritesItsOwnCharactersAsEntities) {
  EXPECT_EQ(escape_xml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; 'd'");
  EXPECT_EQ(escape_xml("é 犬 🐕"), "é 犬 🐕");
}

TEST(EscapeXml, ReplacesWhatXmlForbids) {
  using namespace std::string_view_literals;
  EXPECT_EQ(escape_xml("a\0b\x01."sv), "a\uFFFDb\uFFFD.");
  EXPECT_EQ(escape_xml("\x1F\xFF."), "\uFFFD\uFFFD.");
  EXPECT_EQ(escape_xml("\uFFFE\uFFFF."), "\uFFFD\uFFFD.");
  EXPECT_EQ(escape_xml("tab\tline\n"), "tab\tline\n");
}

TEST(MonospaceWidth, CountsColumns) {
  EXPECT_EQ(monospace_width("", 10), 0);
  EXPECT_EQ(monospace_width("élan", 10), monospace_width("elan", 10));
  EXPECT_EQ(monospace_width("犬", 10), monospace_width("do", 10));
}

TEST(Svg, WritesShapesWithFewDecimals) {
  Svg svg;
  svg.rect({0, 1.0 / 3}, 2, 3.5, {"#fff"}, 4);
  svg.line({-0.001, 0}, {12345.678, 1e6}, {"none", "red", 2, "6 3"});
  EXPECT_EQ(body_of(svg),
            "<rect x=\"0\" y=\"0.33\" width=\"2\" height=\"3.5\" rx=\"4\" fill=\"#fff\"/>\n"
            "<line x1=\"0\" y1=\"0\" x2=\"12345.68\" y2=\"1000000\" fill=\"none\" stroke=\"red\" "
            "stroke-width=\"2\" stroke-dasharray=\"6 3\"/>\n");
}

TEST(Svg, WritesPathsAndTips) {
  Svg svg;
  SvgPath path;
  path.move_to({1, 2}).line_to({3, 4}).curve_to({5, 6}, {7, 8}, {9, 10});
  svg.path(path, {"none", "red"});
  svg.path(path, {}, "a < b");
  EXPECT_EQ(body_of(svg),
            "<path d=\"M1 2L3 4C5 6 7 8 9 10\" fill=\"none\" stroke=\"red\" stroke-width=\"1\"/>\n"
            "<path d=\"M1 2L3 4C5 6 7 8 9 10\" fill=\"none\"><title>a &lt; b</title></path>\n");
}

TEST(Svg, WritesCirclesAndTurnedText) {
  Svg svg;
  svg.circle({1, 2}, 3, {"red", "none", 1, {}, 0.5}, "tip");
  svg.text({4, 5}, "up", {.turn = -90});
  EXPECT_EQ(body_of(svg),
            "<circle cx=\"1\" cy=\"2\" r=\"3\" fill=\"red\" opacity=\"0.5\"><title>tip</title></circle>\n"
            "<text x=\"4\" y=\"5\" font-family=\"sans-serif\" font-size=\"14\" fill=\"#1a1a1a\" "
            "transform=\"rotate(-90 4 5)\">up</text>\n");
}

TEST(Svg, WritesTextAndGroups) {
  Svg svg;
  svg.begin_group({0, 12.5});
  svg.text({1, 2}, "R&B", {"serif", 11, "red", "middle", true});
  svg.end_group();
  EXPECT_EQ(
      body_of(svg),
      "<g transform=\"translate(0 12.5)\">\n"
      "<text x=\"1\" y=\"2\" font-family=\"serif\" font-size=\"11\" fill=\"red\" text-anchor=\"middle\" "
      "font-weight=\"bold\">R&amp;B</text>\n"
      "</g>\n");
}

TEST(Svg, IsADocumentWithTitleAndGround) {
  EXPECT_EQ(Svg().document(300, 20.5, "A & B", "what it <shows>"),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"300\" height=\"20.5\" "
            "viewBox=\"0 0 300 20.5\">\n"
            "<title>A &amp; B</title>\n"
            "<desc>what it &lt;shows&gt;</desc>\n"
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
            "</svg>\n");
}

}  // namespace
}  // namespace capella::report
