#include "text/stemmer.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace capella::text {
namespace {

TEST(EnglishStemmer, FollowsPorter2) {
  const std::pair<std::string_view, std::string_view> stems[] = {
      {"running", "run"},        {"generously", "generous"},
      {"connection", "connect"}, {"ponies", "poni"},
      {"skies", "sky"},          {"dying", "die"},
      {"news", "news"},          {"ionization", "ioniz"},
      {"dog's", "dog"},          {"'s", "'s"},
      {"dogs", "dog"},           {"gas", "gas"},
  };
  EnglishStemmer stemmer;
  for (const auto& [word, stem] : stems) EXPECT_EQ(stemmer.stem(word), stem) << word;
}

TEST(EnglishStemmer, LeavesWhatIsNoEnglishWord) {
  EnglishStemmer stemmer;
  for (const char* word : {"", "a", ".", "1990", "-lrb-", "café", "犬", "🐶"})
    EXPECT_EQ(stemmer.stem(word), word);
}

TEST(EnglishStemmer, TakesEndingsOffWordsWithOtherLetters) {
  EnglishStemmer stemmer;
  EXPECT_EQ(stemmer.stem("cafés"), "café");
}

TEST(EnglishStemmer, TakesWordsOfAnyLength) {
  const std::string letters(1'000'000, 'o');
  EnglishStemmer stemmer;
  EXPECT_TRUE(stemmer.stem(letters + "s") == letters);
  EXPECT_EQ(stemmer.stem("dogs"), "dog");
}

}  // namespace
}  // namespace capella::text
