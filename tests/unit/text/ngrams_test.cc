#include "text/ngrams.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace capella::text {
namespace {

using Words = std::vector<WordId>;

NgramId intern(NgramIndex& index, NgramId prefix, WordId word) {
  index.intern(std::span(&prefix, 1), std::span(&word, 1));
  return prefix;
}

TEST(NgramIndex, AnNgramIsAnNgramAndOneMoreWord) {
  NgramIndex index;
  const NgramId a = intern(index, NgramIndex::kEmpty, 7);
  const NgramId ab = intern(index, a, 8);
  const NgramId b = intern(index, NgramIndex::kEmpty, 8);
  EXPECT_EQ(intern(index, a, 8), ab);
  EXPECT_NE(a, b);
  EXPECT_EQ(index.size(), 3u);
  EXPECT_EQ(index.words(ab), (Words{7, 8}));
  EXPECT_EQ(index.words(b), (Words{8}));
}

TEST(NgramIndex, ExtendsAnother) {
  NgramIndex base;
  const NgramId a = intern(base, NgramIndex::kEmpty, 7);
  NgramIndex index(&base);
  const NgramId ab = intern(index, intern(index, NgramIndex::kEmpty, 7), 8);
  EXPECT_EQ(intern(index, NgramIndex::kEmpty, 7), a);
  EXPECT_EQ(ab, 1u);
  EXPECT_EQ(index.words(ab), (Words{7, 8}));
  EXPECT_EQ(base.size(), 1u);
}

// The counts of an order in order of first occurrence.
std::vector<std::uint32_t> counts(std::span<const NgramCount> order) {
  std::vector<std::uint32_t> all;
  for (const NgramCount& entry : order) all.push_back(entry.count);
  return all;
}

TEST(NgramTable, CountsOrderByOrder) {
  NgramIndex index;
  NgramTable table;
  table.add(Words{1, 2, 1, 2, 1}, index);  // a b a b a
  const NgramProfile profile = table[0];
  EXPECT_EQ(counts(profile.order(1)), (std::vector<std::uint32_t>{3, 2}));
  EXPECT_EQ(counts(profile.order(2)), (std::vector<std::uint32_t>{2, 2}));
  EXPECT_EQ(counts(profile.order(3)), (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(counts(profile.order(4)), (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(profile.all().size(), 8u);
  EXPECT_EQ(index.words(profile.order(3)[0].id), (Words{1, 2, 1}));
}

TEST(NgramTable, ShortSentencesHaveNoLongNgrams) {
  NgramIndex index;
  NgramTable table;
  table.add({}, index);
  table.add(Words{5, 6}, index);
  EXPECT_TRUE(table[0].all().empty());
  EXPECT_EQ(table[1].order(2).size(), 1u);
  EXPECT_TRUE(table[1].order(3).empty());
  EXPECT_EQ(table.size(), 2u);
}

// Long texts are counted in another way than captions.
TEST(NgramTable, CountsLongTexts) {
  NgramIndex index;
  NgramTable table;
  Words words;
  for (WordId i = 0; i < 300; ++i) words.push_back(i % 100);
  table.add(words, index);
  EXPECT_EQ(counts(table[0].order(1)), std::vector<std::uint32_t>(100, 3));
  std::vector<std::uint32_t> fourgrams(100, 3);
  std::fill(fourgrams.end() - 3, fourgrams.end(), 2);  // those that would run over the end
  EXPECT_EQ(counts(table[0].order(4)), fourgrams);
}

}  // namespace
}  // namespace capella::text
