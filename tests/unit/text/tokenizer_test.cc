// Names, and the tokenizers 13a and none.
#include "text/tokenizer.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "text/tokenizer_13a.h"

namespace capella::text {
namespace {

std::string bleu13a(std::string_view line) {
  std::string out;
  tokenize_13a(line, out);
  return out;
}

TEST(Tokenizer, NamesGoBothWays) {
  for (const char* name : {"ptb", "ptb-iso", "13a", "none", "karpathy"})
    EXPECT_EQ(tokenizer_name(tokenizer_by_name(name)), name);
}

TEST(Tokenizer, UnknownNamesAreUsageErrors) {
  EXPECT_THROW(tokenizer_by_name("ptbiso"), UsageError);
}

TEST(Tokenizer, EveryTokenizerKeepsTheNumberOfCaptions) {
  ThreadPool pool(2);
  const std::vector<std::string_view> captions = {"A dog.", "", "Two  cats\n"};
  for (const auto tokenizer :
       {Tokenizer::ptb, Tokenizer::ptb_iso, Tokenizer::bleu13a, Tokenizer::none, Tokenizer::karpathy}) {
    EXPECT_EQ(tokenize(tokenizer, captions, pool).size(), captions.size());
  }
  EXPECT_EQ(tokenize(Tokenizer::none, captions, pool)[2], "Two  cats\n");
  EXPECT_EQ(tokenize(Tokenizer::bleu13a, captions, pool)[0], "A dog .");
}

TEST(Tokenizer13a, SeparatesMarksButNotWithinNumbers) {
  EXPECT_EQ(bleu13a("Hello, world! It's 3.14, (not 1,000)."), "Hello , world ! It's 3.14 , ( not 1,000 ) .");
  EXPECT_EQ(bleu13a("5-year-old, v1.x .5"), "5 - year-old , v1 . x . 5");
  EXPECT_EQ(bleu13a("a..b ,,c"), "a . . b , , c");
}

TEST(Tokenizer13a, UndoesEscapes) {
  EXPECT_EQ(bleu13a("&quot;a&quot; &amp;lt; b"), "\" a \" < b");
  EXPECT_EQ(bleu13a("x<skipped>y hy-\nphen"), "xy hyphen");
  EXPECT_EQ(bleu13a(" \n "), "");
}

}  // namespace
}  // namespace capella::text
