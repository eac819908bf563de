// Features by hand; the hashes are FNV-1a's, worked out with another program.
#include "syntax/word_features.h"

#include <gtest/gtest.h>

namespace capella::syntax {
namespace {

constexpr std::size_t kAll = std::size_t{1} << 32;  // leaves hashes as they are

TEST(WordFeatures, LooksLowerCaseUpInTheVocabulary) {
  const FeatureReader reader("a\nman\nÖl\n", 100);
  EXPECT_EQ(reader.words(), 3u);
  EXPECT_EQ(reader.read("a").word, 1u);
  EXPECT_EQ(reader.read("MAN").word, 2u);
  EXPECT_EQ(reader.read("Öl").word, 3u);
  EXPECT_EQ(reader.read("woman").word, 0u);
  EXPECT_EQ(reader.read("").word, 0u);
}

TEST(WordFeatures, CountsAffixesAsLongAsTheWord) {
  const FeatureReader reader("", kAll);
  EXPECT_EQ(reader.read("").affix_count, 0u);
  EXPECT_EQ(reader.read("a").affix_count, 2u);
  EXPECT_EQ(reader.read("abc").affix_count, 6u);
  EXPECT_EQ(reader.read("abcdefgh").affix_count, 7u);
}

TEST(WordFeatures, HashesAffixes) {
  const FeatureReader reader("", kAll);
  const WordFeatures features = reader.read("Dog");
  const std::uint32_t expected[] = {1249161969u, 557581435u,  1851794352u,
                                    1738272776u, 3337723332u, 2110470336u};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(features.affixes[i], expected[i]) << i;
}

TEST(WordFeatures, Shapes) {
  const FeatureReader reader("", 1);
  EXPECT_EQ(reader.read("dog").shape, 4u);
  EXPECT_EQ(reader.read("Dog").shape, 1u + 4u);
  EXPECT_EQ(reader.read("TV").shape, 1u + 2u);
  EXPECT_EQ(reader.read("T-shirt").shape, 1u + 4u + 16u);
  EXPECT_EQ(reader.read("3rd").shape, 4u + 8u);
  EXPECT_EQ(reader.read(".").shape, 32u);
  EXPECT_EQ(reader.read("é").shape, 32u);
  EXPECT_EQ(reader.read("").shape, 0u);
}

}  // namespace
}  // namespace capella::syntax
