#include "text/vocabulary.h"

#include <utility>

#include <gtest/gtest.h>

namespace capella::text {
namespace {

TEST(Vocabulary, NumbersWordsFromZeroUp) {
  Vocabulary words;
  EXPECT_EQ(words.intern("a"), 0u);
  EXPECT_EQ(words.intern("dog"), 1u);
  EXPECT_EQ(words.intern("a"), 0u);
  EXPECT_EQ(words.intern(""), 2u);  // the empty word is a word
  EXPECT_EQ(words.size(), 3u);
  EXPECT_EQ(words.word(1), "dog");
}

TEST(Vocabulary, ExtendsAnotherWithoutChangingIt) {
  Vocabulary base;
  base.intern("a");
  Vocabulary first(&base);
  Vocabulary second(&base);
  EXPECT_EQ(first.intern("cat"), 1u);
  EXPECT_EQ(second.intern("dog"), 1u);
  EXPECT_EQ(first.intern("a"), 0u);
  EXPECT_EQ(first.word(0), "a");
  EXPECT_EQ(first.word(1), "cat");
  EXPECT_EQ(second.word(1), "dog");
  EXPECT_EQ(base.size(), 1u);
}

// Short strings live inside the string object, so this fails if moving the vocabulary moves its words.
TEST(Vocabulary, FindsItsWordsAfterAMove) {
  Vocabulary words;
  for (int i = 0; i < 1000; ++i) words.intern(std::to_string(i));
  Vocabulary moved = std::move(words);
  for (WordId i = 0; i < 1000; ++i) EXPECT_EQ(moved.intern(std::to_string(i)), i);
  EXPECT_EQ(moved.size(), 1000u);
}

}  // namespace
}  // namespace capella::text
