// The tokens of Karpathy's data sets. Captions and tokens are those of the data sets where a line says so;
// the others follow from the rule.
#include "text/tokenizer_karpathy.h"

#include <string>

#include <gtest/gtest.h>

#include "text/tokenizer.h"

namespace capella::text {
namespace {

std::string tokens(std::string_view caption) {
  std::string out;
  tokenize_karpathy(caption, out);
  return out;
}

TEST(TokenizerKarpathy, HasAName) {
  EXPECT_EQ(tokenizer_by_name("karpathy"), Tokenizer::karpathy);
  EXPECT_EQ(tokenizer_name(Tokenizer::karpathy), "karpathy");
  ThreadPool pool(2);
  const std::vector<std::string_view> captions = {"A dog.", "", "Two  cats\n"};
  const StringColumn all = tokenize(Tokenizer::karpathy, captions, pool);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], "a dog");
  EXPECT_EQ(all[1], "");
  EXPECT_EQ(all[2], "two cats");
}

TEST(TokenizerKarpathy, DeletesMarksAndCutsAtOthers) {
  // Of the data sets.
  EXPECT_EQ(tokens("A man with  a green hat, glasses, an Oregon State t-shirt, and blue jeans sits."),
            "a man with a green hat glasses an oregon state t shirt and blue jeans sits");
  EXPECT_EQ(tokens("A cat sleeping in a person's lap; the cat is also on this person's laptop."),
            "a cat sleeping in a persons lap the cat is also on this persons laptop");
  EXPECT_EQ(tokens("A tray with two beverages, food and jam and/or jelly. "),
            "a tray with two beverages food and jam and or jelly");
  EXPECT_EQ(tokens("a living room with a t.v. and  a bunch of chairs in it."),
            "a living room with a tv and a bunch of chairs in it");
  // By the rule.
  EXPECT_EQ(tokens("37,000 -- a \"car\"?!"), "37 000 a car");
}

TEST(TokenizerKarpathy, KeepsOtherMarks) {
  // Of the data sets.
  EXPECT_EQ(tokens("A dried black flower in a long, tall black & white vase."),
            "a dried black flower in a long tall black & white vase");
  EXPECT_EQ(tokens("A cake topped with M&Ms sitting on a tray."),
            "a cake topped with m&ms sitting on a tray");
  // By the rule.
  EXPECT_EQ(tokens("a zebra (or two) at 2:56, # 8"), "a zebra (or two) at 2:56 # 8");
  EXPECT_EQ(tokens("\xC3\x89 caf\xC3\xA9"), "\xC3\xA9 caf\xC3\xA9");
}

TEST(TokenizerKarpathy, TokensAreTheirOwnTokens) {
  const std::string once = tokens("The (red) M&Ms, e.g. 3-4 of them.");
  EXPECT_EQ(tokens(once), once);
}

}  // namespace
}  // namespace capella::text
