#include "report/wrap.h"

#include <gtest/gtest.h>

namespace capella::report {
namespace {

using Lines = std::vector<std::string>;

TEST(Wrap, EndsLinesAtSpacesAndBeforeParts) {
  EXPECT_EQ(wrap("a line that fits", 16), Lines{"a line that fits"});
  EXPECT_EQ(wrap("a line that fits", 15), (Lines{"a line that", "fits"}));
  EXPECT_EQ(wrap("BLEU-1|tok:ptb|v:1.0", 14), (Lines{"BLEU-1|tok:ptb", "|v:1.0"}));
  EXPECT_EQ(wrap("", 5), Lines{""});
}

TEST(Wrap, CountsCodePoints) {
  EXPECT_EQ(wrap("éé éé", 5), Lines{"éé éé"});
  EXPECT_EQ(wrap("éé éé", 4), (Lines{"éé", "éé"}));
}

TEST(Wrap, CutsOrKeepsLongWords) {
  EXPECT_EQ(wrap("ééééé ab", 2), (Lines{"éé", "éé", "é", "ab"}));
  EXPECT_EQ(wrap("ééééé ab", 2, LongWords::keep), (Lines{"ééééé", "ab"}));
}

TEST(WrapLines, IndentsWhatGoesOnBelow) {
  EXPECT_EQ(wrap_lines("short\n\nthe quick brown fox jumps over\n", 20),
            "short\n\nthe quick brown fox\n  jumps over\n");
  EXPECT_EQ(wrap_lines("  the quick brown fox jumps over", 22), "  the quick brown fox\n    jumps over");
}

TEST(WrapLines, KeepsWhatPeopleCopy) {
  EXPECT_EQ(wrap_lines("/a/very/long/path/to/a/file\n", 20), "/a/very/long/path/to/a/file\n");
}

TEST(Fill, JoinsLinesAtTheMarginAlone) {
  EXPECT_EQ(fill("a b\nc d\n\n  x  y\n  z\ne", 5), "a b c\nd\n\n  x  y\n  z\ne\n");
}

}  // namespace
}  // namespace capella::report
