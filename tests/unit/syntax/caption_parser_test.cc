#include "syntax/caption_parser.h"

#include <thread>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/small_parser_model.h"
#include "support/temp_dir.h"

namespace capella::syntax {
namespace {

using Views = std::vector<std::string_view>;

class CaptionParserTest : public ::testing::Test {
 protected:
  test::TempDir folder_;
  std::string path_ = folder_.write("model", test::SmallParserModel({}, 1).bytes());
  CaptionParser parser_{path_};
};

TEST_F(CaptionParserTest, GivesEachCaptionTheTreesOfItsSentences) {
  const auto trees = parser_.parse(Views{"A man. A dog is red!", "", "the beach"});
  ASSERT_EQ(trees.size(), 3u);
  ASSERT_EQ(trees[0].size(), 2u);
  EXPECT_EQ(trees[0][0].tokens.size(), 3u);
  EXPECT_EQ(trees[0][1].tokens.size(), 5u);
  EXPECT_EQ(trees[0][1].tokens[1].word, "dog");
  EXPECT_TRUE(trees[1].empty());
  ASSERT_EQ(trees[2].size(), 1u);
  EXPECT_EQ(trees[2][0].tokens[1].word, "beach");
}

TEST_F(CaptionParserTest, TreesDoNotDependOnTheOthers) {
  const Views texts{"a man riding a horse", "the red dog", "a dog. a man on the beach", "x"};
  const auto together = parser_.parse(texts);
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(parser_.parse(std::span(texts).subspan(i, 1))[0], together[i]) << texts[i];
  EXPECT_TRUE(parser_.parse({}).empty());
}

TEST_F(CaptionParserTest, ServesManyThreads) {
  const Views texts{"a man riding a horse on the beach", "the red dog", "men"};
  const auto want = parser_.parse(texts);
  std::vector<std::thread> threads;
  std::vector<int> equal(4);
  for (int& own : equal) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) own += parser_.parse(texts) == want;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, std::vector<int>(4, 20));
}

TEST_F(CaptionParserTest, KeptTreesAreThoseThatWereParsed) {
  const CaptionParser keeping(path_, 3);
  const Views some{"the red dog", "a man. the red dog"}, more{"men", "a man. men. the red dog", "", "x y z"};
  for (const Views& texts : {some, more, some, more}) EXPECT_EQ(keeping.parse(texts), parser_.parse(texts));
}

TEST_F(CaptionParserTest, KeepsTreesForManyThreads) {
  const CaptionParser keeping(path_, 4);
  const Views texts{"a man riding a horse", "the red dog", "a dog. a man on the beach", "x", "men"};
  const auto want = parser_.parse(texts);
  std::vector<std::thread> threads;
  std::vector<int> equal(4);
  for (std::size_t t = 0; t < equal.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 20; ++i) {
        const std::size_t first = (t + i) % texts.size();
        equal[t] += keeping.parse(std::span(texts).subspan(first, 1))[0] == want[first];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, std::vector<int>(4, 20));
}

TEST_F(CaptionParserTest, TheFingerprintIsTheModels) {
  const std::string other = folder_.write("other", test::SmallParserModel({}, 2).bytes());
  EXPECT_EQ(CaptionParser(path_).fingerprint(), parser_.fingerprint());
  EXPECT_NE(CaptionParser(other).fingerprint(), parser_.fingerprint());
  EXPECT_THROW(CaptionParser((folder_.path() / "none").string()), FileError);
}

}  // namespace
}  // namespace capella::syntax
