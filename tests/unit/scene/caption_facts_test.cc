#include "scene/caption_facts.h"

#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "support/known_facts.h"

namespace capella::scene {
namespace {

using Views = std::vector<std::string_view>;

class CaptionFactsTest : public ::testing::Test {
 protected:
  std::unique_ptr<const FactCache> cache() const {
    return std::make_unique<const FactCache>((folder_.path() / "cache").string(), parser_.fingerprint());
  }

  test::TempDir folder_;
  syntax::CaptionParser parser_{folder_.write("model", test::SmallParserModel({}, 3).bytes())};
  Views texts_{"a man riding a horse", "", "the red dog", "a man riding a horse", "Men. A dog on the beach!"};
};

TEST_F(CaptionFactsTest, AreThoseOfTheParsedText) {
  const auto facts = CaptionFacts(parser_).find(texts_);
  ASSERT_EQ(facts.size(), texts_.size());
  for (std::size_t i = 0; i < texts_.size(); ++i)
    EXPECT_EQ(facts[i], extract_facts(parser_.parse(std::span(texts_).subspan(i, 1))[0])) << texts_[i];
  EXPECT_EQ(facts[0], facts[3]);
}

TEST_F(CaptionFactsTest, AreTheSameWhateverWasAskedBefore) {
  const CaptionFacts facts(parser_);
  const auto want = facts.find(texts_);
  EXPECT_EQ(facts.find(texts_), want);
  EXPECT_TRUE(facts.find({}).empty());
}

TEST_F(CaptionFactsTest, ServeManyThreads) {
  const auto want = CaptionFacts(parser_).find(texts_);
  const CaptionFacts facts(parser_);
  ThreadPool pool(4);
  std::vector<int> equal(40);
  pool.parallel_for(equal.size(), [&](std::size_t i) { equal[i] = facts.find(texts_) == want; });
  EXPECT_EQ(equal, std::vector<int>(40, 1));
}

TEST_F(CaptionFactsTest, AreTheSameWithACache) {
  const auto want = CaptionFacts(parser_).find(texts_);
  const CaptionFacts first(parser_, cache());
  EXPECT_EQ(first.find(std::span(texts_).first(2)), std::vector(want.begin(), want.begin() + 2));
  EXPECT_EQ(first.save(), "");
  EXPECT_TRUE(cache()->find(text_key(texts_[0])));
  EXPECT_FALSE(cache()->find(text_key(texts_[2])));
  const CaptionFacts second(parser_, cache());
  EXPECT_EQ(second.find(texts_), want);
  EXPECT_EQ(second.save(), "");
  EXPECT_TRUE(cache()->find(text_key(texts_[2])));
}

TEST_F(CaptionFactsTest, WhatIsTooMuchIsForgotten) {
  const CaptionFacts facts(parser_, nullptr, 2);
  const auto want = CaptionFacts(parser_).find(texts_);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      EXPECT_EQ(facts.find(std::span(texts_).subspan(i, 1))[0], want[i]) << texts_[i];
      EXPECT_LE(facts.kept(), 2u);
    }
  }
}

TEST_F(CaptionFactsTest, WhatIsTooMuchIsWrittenToTheCache) {
  const CaptionFacts facts(parser_, cache(), 2);
  for (std::size_t i = 0; i < texts_.size(); ++i) facts.find(std::span(texts_).subspan(i, 1));
  EXPECT_LE(facts.kept(), 2u);
  EXPECT_TRUE(cache()->find(text_key(texts_[0])));
  EXPECT_FALSE(cache()->find(text_key(texts_[4])));
  EXPECT_EQ(facts.save(), "");
  for (const std::string_view text : texts_) EXPECT_TRUE(cache()->find(text_key(text))) << text;
}

TEST_F(CaptionFactsTest, EntriesThatMakeNoSenseAreParsedAgain) {
  cache()->add({{text_key(texts_[0]), "\x07"}});
  EXPECT_EQ(CaptionFacts(parser_, cache()).find(texts_), CaptionFacts(parser_).find(texts_));
}

}  // namespace
}  // namespace capella::scene
