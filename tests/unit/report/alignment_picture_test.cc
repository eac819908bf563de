#include "report/alignment_picture.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/text_search.h"

namespace capella::report {
namespace {

using test::count;

using Alignment = Explanation::Alignment;

// "a <b> big dog" above "the large grey dog": a word each by synonym and exactly, a phrase with itself.
Alignment small() {
  return {"METEOR 0.5, R&B",
          "caption",
          "reference",
          {"a", "<b>", "big", "dog"},
          {"the", "large", "grey", "dog"},
          {"exact", "stem", "synonym", "paraphrase"},
          {{3, 1, 3, 1, 0}, {2, 1, 1, 1, 2}, {0, 2, 2, 1, 3}}};
}

double attribute(const std::string& picture, const std::string& name) {
  return std::stod(picture.substr(picture.find(name + "=\"") + name.size() + 2));
}

TEST(AlignmentPicture, HoldsEveryWordEscaped) {
  const std::string picture = draw_alignment(small());
  for (const char* word : {"a", "&lt;b&gt;", "big", "the", "large", "grey", "caption", "reference"}) {
    EXPECT_EQ(count(picture, '>' + std::string(word) + "</text>"), 1u) << word << '\n' << picture;
  }
  EXPECT_EQ(count(picture, ">dog</text>"), 2u);
  EXPECT_EQ(count(picture, ">METEOR 0.5, R&amp;B</text>"), 1u);
  EXPECT_EQ(count(picture, "<title>METEOR 0.5, R&amp;B</title>"), 1u);
  EXPECT_EQ(picture.find("<b>"), std::string::npos);
}

TEST(AlignmentPicture, TellsKindsAndTheirNumbers) {
  const std::string picture = draw_alignment(small());
  for (const char* kind : {"exact (1)", "stem (0)", "synonym (1)", "paraphrase (1)"}) {
    EXPECT_EQ(count(picture, '>' + std::string(kind) + "</text>"), 1u) << kind;
  }
  EXPECT_EQ(count(picture, "<title>exact: dog - dog</title>"), 1u);
  EXPECT_EQ(count(picture, "<title>synonym: big - large</title>"), 1u);
  EXPECT_EQ(count(picture, "<title>paraphrase: a &lt;b&gt; - grey</title>"), 1u);
}

TEST(AlignmentPicture, GreysWordsWithoutALinkAlone) {
  const std::string picture = draw_alignment(small());
  const auto line_of = [&](const std::string& word) {
    const std::size_t end = picture.find('>' + word + "</text>");
    return picture.substr(picture.rfind('\n', end), end - picture.rfind('\n', end));
  };
  EXPECT_EQ(count(line_of("the"), "#767676"), 1u);
  EXPECT_EQ(count(line_of("grey"), "#767676"), 0u);
  EXPECT_EQ(count(line_of("a"), "#767676"), 0u);
}

TEST(AlignmentPicture, BracketsPhrases) {
  // Two lines under words and a curve per link; the phrase's line has ends: three strokes, not one.
  const std::string picture = draw_alignment(small());
  EXPECT_EQ(count(picture, "<path"), 9u);
  EXPECT_EQ(count(picture, "L"), 5 * 1u + 3u);
}

TEST(AlignmentPicture, GrowsWithTheWords) {
  Alignment large = small();
  large.upper.assign(200, "word");
  large.lower.assign(200, "word");
  large.links.clear();
  for (std::size_t i = 0; i < 200; ++i) large.links.push_back({i, 1, 199 - i, 1, 0});
  const std::string picture = draw_alignment(large);
  EXPECT_EQ(count(picture, ">word</text>"), 400u);
  EXPECT_GT(attribute(picture, "width"), 200 * 4 * 8.0);
  EXPECT_LT(attribute(picture, "height"), 600);
}

TEST(AlignmentPicture, TakesEmptySentences) {
  Alignment empty = small();
  empty.upper.clear();
  empty.links.clear();
  const std::string picture = draw_alignment(empty);
  EXPECT_EQ(count(picture, "Nothing matches."), 1u);
  EXPECT_EQ(count(picture, ">large</text>"), 1u);
}

TEST(AlignmentPicture, StacksSeveral) {
  const std::vector<Alignment> two = {small(), small()};
  const std::string picture = draw_alignments(two);
  EXPECT_EQ(count(picture, "<svg"), 1u);
  EXPECT_EQ(count(picture, ">big</text>"), 2u);
  EXPECT_DOUBLE_EQ(attribute(picture, "height"), 2 * attribute(draw_alignment(two[0]), "height"));
}

}  // namespace
}  // namespace capella::report
