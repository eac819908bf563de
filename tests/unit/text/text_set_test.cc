#include "text/text_set.h"

#include <gtest/gtest.h>

namespace capella::text {
namespace {

StringColumn column(std::initializer_list<std::string_view> texts) {
  StringColumn strings;
  for (const std::string_view text : texts) strings.push_back(text);
  return strings;
}

std::vector<std::string> spelled(const TextSet& set, std::span<const WordId> ids) {
  std::vector<std::string> words;
  for (const WordId id : ids) words.emplace_back(set.vocabulary().word(id));
  return words;
}

using TextSetWords = std::vector<std::string>;

TEST(TextSet, WordsAndPiecesOfPlainTextAreTheSame) {
  const TextSet set(column({"a dog runs"}));
  EXPECT_EQ(spelled(set, set.words(0)), (TextSetWords{"a", "dog", "runs"}));
  EXPECT_EQ(spelled(set, set.pieces(0)), (TextSetWords{"a", "dog", "runs"}));
}

// BLEU and CIDEr count words, ROUGE-L counts pieces.
TEST(TextSet, PiecesAreCutAtSingleSpacesOnly) {
  const TextSet set(column({"", "a  dog", " a", "9\u00A0am\tx", "café au lait"}));
  EXPECT_EQ(spelled(set, set.words(0)), TextSetWords{});
  EXPECT_EQ(spelled(set, set.pieces(0)), (TextSetWords{""}));
  EXPECT_EQ(spelled(set, set.words(1)), (TextSetWords{"a", "dog"}));
  EXPECT_EQ(spelled(set, set.pieces(1)), (TextSetWords{"a", "", "dog"}));
  EXPECT_EQ(spelled(set, set.pieces(2)), (TextSetWords{"", "a"}));
  EXPECT_EQ(spelled(set, set.words(3)), (TextSetWords{"9", "am", "x"}));
  EXPECT_EQ(spelled(set, set.pieces(3)), (TextSetWords{"9\u00A0am\tx"}));
  EXPECT_EQ(spelled(set, set.pieces(4)), (TextSetWords{"café", "au", "lait"}));
}

TEST(TextSet, EqualNgramsOfAnExtensionHaveEqualNumbers) {
  const TextSet references(column({"a dog runs"}));
  const TextSet captions(column({"a dog barks"}), &references);
  EXPECT_EQ(captions.ngrams(0).order(2)[0].id, references.ngrams(0).order(2)[0].id);  // a dog
  EXPECT_NE(captions.ngrams(0).order(2)[1].id, references.ngrams(0).order(2)[1].id);
  EXPECT_EQ(captions.ngram_text(captions.ngrams(0).order(3)[0].id), "a dog barks");
}

TEST(TextSet, HashesOfNgramsDependOnTheWordsAlone) {
  const TextSet one(column({"x y z", "a dog"}));
  const TextSet other(column({"a dog"}));
  EXPECT_EQ(one.ngram_hash(one.ngrams(1).order(2)[0].id), other.ngram_hash(other.ngrams(0).order(2)[0].id));
  const TextSet swapped(column({"dog a"}));
  EXPECT_NE(swapped.ngram_hash(swapped.ngrams(0).order(2)[0].id),
            other.ngram_hash(other.ngrams(0).order(2)[0].id));
}

}  // namespace
}  // namespace capella::text
