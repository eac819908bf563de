#include "text/stop_words.h"

#include <gtest/gtest.h>

namespace capella::text {
namespace {

TEST(StopWords, AreThoseOfTheList) {
  for (const char* word : {"a", "the", "on", "i", "myself", "s", "t", "ll", "wouldn", "y", "very"})
    EXPECT_TRUE(is_stop_word(word)) << word;
}

TEST(StopWords, OtherWordsAreNone) {
  // Clitics as the tokenizer cuts them and words of later lists are not in this one.
  for (const char* word : {"", "dog", "'s", "n't", "don't", "she's", "The", "two", "upon", "ab", "zzz"})
    EXPECT_FALSE(is_stop_word(word)) << word;
}

}  // namespace
}  // namespace capella::text
