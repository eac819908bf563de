#include "base/utf8.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace capella {
namespace {

using Points = std::vector<char32_t>;

TEST(Utf8, DecodesTheFirstAndLastCodePointOfEachLength) {
  EXPECT_EQ(to_code_points(std::string("\x00\x7F", 2)), (Points{0x00, 0x7F}));
  EXPECT_EQ(to_code_points("\u0080\u07FF"), (Points{0x80, 0x7FF}));
  EXPECT_EQ(to_code_points("\u0800\uFFFF"), (Points{0x800, 0xFFFF}));
  EXPECT_EQ(to_code_points("\U00010000\U0010FFFF"), (Points{0x10000, 0x10FFFF}));
}

TEST(Utf8, AnInvalidByteIsOneReplacementCharacter) {
  const char32_t bad = kReplacementCharacter;
  EXPECT_EQ(to_code_points("a\x80z"), (Points{'a', bad, 'z'}));                 // a lone continuation
  EXPECT_EQ(to_code_points("\xC3"), (Points{bad}));                             // cut off
  EXPECT_EQ(to_code_points("\xE2\x82z"), (Points{bad, bad, 'z'}));              // cut off by a letter
  EXPECT_EQ(to_code_points("\xC0\xAF"), (Points{bad, bad}));                    // longer than needed
  EXPECT_EQ(to_code_points("\xED\xA0\x80"), (Points{bad, bad, bad}));           // a surrogate
  EXPECT_EQ(to_code_points("\xF4\x90\x80\x80"), (Points{bad, bad, bad, bad}));  // above U+10FFFF
  EXPECT_EQ(to_code_points("\xF8\x88\x80\x80\x80"), (Points{bad, bad, bad, bad, bad}));  // five bytes
  EXPECT_EQ(to_code_points("\xFF"), (Points{bad}));
}

TEST(Utf8, AppendingUndoesDecoding) {
  const std::string text = "a\u00E9\u20AC\U0001F600";
  std::string again;
  for (const char32_t point : to_code_points(text)) append_utf8(again, point);
  EXPECT_EQ(again, text);
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  for_each_python_word(text, [&](std::string_view word) { found.emplace_back(word); });
  return found;
}

TEST(PythonWords, SplitsAtEveryKindOfWhiteSpace) {
  EXPECT_EQ(words("a dog"), (std::vector<std::string>{"a", "dog"}));
  EXPECT_EQ(words("  a\t\n dog\x1F"), (std::vector<std::string>{"a", "dog"}));
  EXPECT_EQ(words("1\u00A02\u20033\u30004\u0085x"), (std::vector<std::string>{"1", "2", "3", "4", "x"}));
  EXPECT_TRUE(words("").empty());
  EXPECT_TRUE(words(" \u00A0 ").empty());
}

// U+200B and U+FEFF are no white space in Python.
TEST(PythonWords, KeepsZeroWidthCharacters) {
  EXPECT_EQ(words("a\u200Bb \uFEFFc"), (std::vector<std::string>{"a\u200Bb", "\uFEFFc"}));
}

TEST(PythonRstrip, TakesOffTrailingWhiteSpaceOnly) {
  EXPECT_EQ(python_rstrip(" a b \u00A0\n"), " a b");
  EXPECT_EQ(python_rstrip("a\u200B"), "a\u200B");
  EXPECT_EQ(python_rstrip(" \t "), "");
  EXPECT_EQ(python_rstrip(""), "");
  EXPECT_EQ(python_rstrip("a\x80\x80 "), "a\x80\x80");
}

}  // namespace
}  // namespace capella
