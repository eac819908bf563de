// The rules of METEOR's normaliser by example, one table per kind of mark.
#include "text/meteor_normalizer.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/small_meteor_data.h"

namespace capella::text {
namespace {

struct Example {
  std::string_view line;
  std::string_view words;
};

/// "Mr", "Dr" and "St" are abbreviations of the small English, "No" and "pp" are before numbers.
class MeteorNormalizer : public ::testing::Test {
 protected:
  void check(std::initializer_list<Example> examples) const {
    for (const Example& example : examples)
      EXPECT_EQ(meteor_normalize(example.line, data_.get()), example.words) << example.line;
  }
  std::string words(std::string_view line) const { return meteor_words(line, data_.get()); }

  test::SmallMeteorData data_{std::string()};
};

TEST_F(MeteorNormalizer, LeavesPlainWords) {
  check({{"a dog runs", "a dog runs"}, {"A Dog", "A Dog"}, {"", ""}, {" ", ""}, {"dog", "dog"}});
}

TEST_F(MeteorNormalizer, SetsSymbolsApart) {
  check({{"a/b", "a / b"},
         {"$5", "$ 5"},
         {"50%", "50 %"},
         {"R&B!", "R & B !"},
         {"(dog)", "( dog )"},
         {"a_b", "a _ b"},
         {"x|||y", "x | | | y"}});
}

TEST_F(MeteorNormalizer, SetsFullStopsApart) {
  check({{"The dog.", "The dog ."},
         {"A dog. The cat.", "A dog . The cat ."},
         {"A dog. 5 cats", "A dog . 5 cats"},
         {"a dog. the cat", "a dog. the cat"},  // no sentence begins with a small letter
         {".", "."},
         {"a . b", "a . b"}});
}

TEST_F(MeteorNormalizer, KeepsTheFullStopsOfAbbreviations) {
  check({{"Mr. Dog", "Mr. Dog"},
         {"Mr.", "Mr."},
         {"mr. Dog", "mr . Dog"},
         {"Xr. Dog", "Xr . Dog"},
         {"No. 5", "No. 5"},
         {"No. Dogs", "No . Dogs"},
         {"No.", "No ."},
         {"pp. 7", "pp. 7"}});
}

TEST_F(MeteorNormalizer, TakesTheDotsOutOfInitials) {
  check({{"U.S.", "US"}, {"8 p.m.", "8 pm"}, {"i.e. dogs", "ie dogs"}, {"U.S", "U.S"}, {"a.b.c", "a.b.c"}});
}

TEST_F(MeteorNormalizer, ManyDotsAreOneWord) {
  check({{"wait...", "wait ..."},
         {"a..b", "a .. b"},
         {"a ..... b", "a ..... b"},
         {"..", ".."},
         {"so...Mr. Dog..", "so ... Mr. Dog .."},
         {"DOTMULTI", "."}});  // METEOR's own mark for dots
}

TEST_F(MeteorNormalizer, CutsHyphens) {
  check({{"t-shirt", "t shirt"},
         {"black-and-white", "black and white"},
         {"a-b-c", "a b-c"},  // the second hyphen's letter went with the first
         {"50-60", "50 60"},
         {"dog--cat", "dog cat"},
         {"a---b", "a--b"},
         {"a - b", "a - b"},
         {"-lrb-", "-lrb-"},
         {"dog-", "dog-"},
         {"a\u2013b", "a - b"},
         {"a\u2014b", "a \u2014 b"}});
}

TEST_F(MeteorNormalizer, CutsApostrophes) {
  check({{"dog's", "dog 's"},
         {"isn't", "isn 't"},
         {"n't", "n 't"},
         {"dogs' toys", "dogs ' toys"},
         {"'dog'", "' dog '"},
         {"the '90s", "the ' 90s"},
         {"the 90's", "the 90 's"},
         {"5'11", "5 ' 11"},
         {"dog\u2019s", "dog 's"},
         {"dog`s", "dog 's"},
         {"'", "'"}});
}

TEST_F(MeteorNormalizer, UnifiesQuotes) {
  check({{"\"dog\"", "\" dog \""},
         {"``dog''", "\" dog \""},
         {"\u201Cdog\u201D", "\" dog \""},
         {"\u2018dog\u2019", "' dog '"}});
}

TEST_F(MeteorNormalizer, SetsCommasApartButNotInNumbers) {
  check({{"dogs, cats", "dogs , cats"},
         {"a,b", "a , b"},
         {"a,b,c", "a , b,c"},  // the second comma's letter went with the first
         {"1,000", "1,000"},
         {"1,000,000", "1,000,000"},
         {"1,a", "1 , a"},
         {"a,1", "a , 1"},
         {"in 1990, dogs", "in 1990 , dogs"}});
}

TEST_F(MeteorNormalizer, KeepsNumbers) {
  check({{"3.5", "3.5"}, {"3.5.", "3.5 ."}, {"1/2", "1 / 2"}, {".5", ".5"}, {"5.", "5 ."}});
}

TEST_F(MeteorNormalizer, JoinsSpaces) {
  check({{"a  b", "a b"},
         {" a\tb\nc\rd\fe ", "a b c d e"},
         {"a\u00A0b", "a b"},
         {"a \u2003 \u3000b", "a b"},
         {"a\u200Bb", "a \u200B b"},  // of no width, and no space
         {"\x01 a \x1F", "a"}});
}

TEST_F(MeteorNormalizer, AVerticalTabIsPartOfAWord) {
  check({{"the\vdog", "the\vdog"},
         {"the \v dog", "the \v dog"},
         {"\vdog\v", "dog"},
         {"Mr\v. Dog", "Mr\v . Dog"}});
}

TEST_F(MeteorNormalizer, KnowsLatinAndCyrillicLetters) {
  check({{"café", "café"},
         {"дом-дом", "дом дом"},
         {"Ž's", "Ž 's"},
         {"犬が", "犬 が"},
         {"αβ", "α β"},
         {"a🐶b", "a 🐶 b"},
         {"a\u00D7b", "a \u00D7 b"},    // a sign among the letters
         {"a\u017Fb", "a \u017F b"}});  // the first beyond them
}

TEST_F(MeteorNormalizer, WordsAreInLowerCase) {
  EXPECT_EQ(words("The DOG's ÉCOLE."), "the dog 's école .");
  EXPECT_EQ(words("U.S. Army"), "us army");
  EXPECT_EQ(words("МИР"), "мир");
  EXPECT_EQ(words("a dog 5"), "a dog 5");
  EXPECT_EQ(words("Mr. No. 5"), "mr. no. 5");  // abbreviations are looked up as they are written
}

TEST_F(MeteorNormalizer, TakesLinesOfAnyLength) {
  const std::string letters(1'000'000, 'q');
  const std::string dots(100'000, '.');
  EXPECT_TRUE(meteor_normalize(letters + ".", data_.get()) == letters + " .");
  EXPECT_TRUE(meteor_normalize("a" + dots + "b", data_.get()) == "a " + dots + " b");
}

}  // namespace
}  // namespace capella::text
