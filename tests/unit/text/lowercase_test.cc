#include "text/lowercase.h"

#include <gtest/gtest.h>

namespace capella::text {
namespace {

std::string lowered(std::u16string_view text) {
  std::string out;
  append_lower_case(out, text);
  return out;
}

std::string lowered(std::u32string_view text) {
  std::string out;
  append_lower_case(out, text);
  return out;
}

TEST(LowerCase, FollowsUnicode) {
  EXPECT_EQ(lowered(u"aZ[@\u00D7"), "az[@\u00D7");
  EXPECT_EQ(lowered(u"\u00C9\u0410\u0102"), "\u00E9\u0430\u0103");
  EXPECT_EQ(lowered(u"\u0130"), "i\u0307");
  EXPECT_EQ(lowered(u"\xD801\xDC00"), "\U00010428");
}

TEST(LowerCase, AppendsToWhatIsThere) {
  std::string out = "A ";
  append_lower_case(out, U"DOG");
  EXPECT_EQ(out, "A dog");
}

TEST(LowerCase, SigmaAtTheEndOfAWordIsFinal) {
  EXPECT_EQ(lowered(u"\u039F\u0394\u039F\u03A3"), "\u03BF\u03B4\u03BF\u03C2");
  EXPECT_EQ(lowered(u"\u0391\u03A3 \u0391"), "\u03B1\u03C2 \u03B1");
  EXPECT_EQ(lowered(u"\u0391\u03A3\u0391"), "\u03B1\u03C3\u03B1");
  EXPECT_EQ(lowered(u"\u03A3\u0391"), "\u03C3\u03B1");
  EXPECT_EQ(lowered(u"\u03A3"), "\u03C3");
  EXPECT_EQ(lowered(u"1 \u03A3"), "1 \u03C3");
}

TEST(LowerCase, IsTheSameForBothKindsOfText) {
  EXPECT_EQ(lowered(U"\u00C9 \u0130 \u039F\u03A3 \U00010400 \U0001F436"),
            lowered(u"\u00C9 \u0130 \u039F\u03A3 \xD801\xDC00 \xD83D\xDC36"));
}

TEST(LowerCase, OfUtf8) {
  EXPECT_EQ(text::lowered(std::string_view("aZ[@")), "az[@");
  EXPECT_EQ(text::lowered(std::string_view("CAF\u00C9S \u039F\u03A3")), "caf\u00E9s \u03BF\u03C2");
  EXPECT_EQ(text::lowered(std::string_view("A\xFF")), "a\uFFFD");
  EXPECT_EQ(text::lowered(std::string_view()), "");
}

TEST(LowerCase, HalvesOfPairsAreReplaced) {
  EXPECT_EQ(lowered(u"a\xD801"), "a\uFFFD");
  EXPECT_EQ(lowered(u"\xDC00Z"), "\uFFFDz");
}

TEST(LowerCase, CharactersHaveOnePartner) {
  EXPECT_EQ(lower_case(U'A'), U'a');
  EXPECT_EQ(lower_case(U'z'), U'z');
  EXPECT_EQ(lower_case(0x1E9E), 0xDFu);  // capital sharp s
  EXPECT_EQ(lower_case(0x212A), U'k');   // the sign for kelvin
  EXPECT_EQ(lower_case(0x178), 0xFFu);   // y with two dots, whose partner lies far before it
  EXPECT_EQ(lower_case(0x1F436), 0x1F436u);
}

TEST(LowerCase, KnowsNothingBeyondUnicode6) {
  EXPECT_EQ(lower_case(0x10A0), 0x2D00u);  // Georgian, Unicode 4.1
  EXPECT_EQ(lower_case(0x13A0), 0x13A0u);  // Cherokee got small letters in Unicode 8
  EXPECT_EQ(lower_case(0x1C90), 0x1C90u);  // another Georgian, Unicode 11
}

}  // namespace
}  // namespace capella::text
