#include "metric/lcs.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace capella::metric {
namespace {

using Words = std::vector<text::WordId>;

Words counting(std::size_t count, text::WordId first = 0) {
  Words words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

TEST(Lcs, OfShortSequences) {
  EXPECT_EQ(lcs_length(Words{}, Words{}), 0u);
  EXPECT_EQ(lcs_length(Words{1}, Words{}), 0u);
  EXPECT_EQ(lcs_length(Words{1, 2, 3}, Words{1, 2, 3}), 3u);
  EXPECT_EQ(lcs_length(Words{1, 2, 3, 4}, Words{2, 9, 4, 1}), 2u);
  EXPECT_EQ(lcs_length(Words{1, 1, 1}, Words{1, 1}), 2u);
}

TEST(Lcs, AtAndAboveSixtyFourWords) {
  for (const std::size_t length : {63u, 64u, 65u, 127u, 128u, 129u, 1000u}) {
    EXPECT_EQ(lcs_length(counting(length), counting(length)), length);
    EXPECT_EQ(lcs_length(counting(length), counting(length, 1)), length - 1);
    Words reversed = counting(length);
    std::reverse(reversed.begin(), reversed.end());
    EXPECT_EQ(lcs_length(counting(length), reversed), 1u);
    EXPECT_EQ(lcs_length(Words(length, 7), Words(2 * length, 7)), length);
  }
}

TEST(Lcs, CarriesAcrossTheSixtyFourthWord) {
  Words a(70, 1);
  a[63] = 2;
  a[64] = 3;
  EXPECT_EQ(lcs_length(a, Words{2, 3}), 2u);
  Words b(80, 9);
  b[70] = 2;
  b[71] = 3;
  EXPECT_EQ(lcs_length(a, b), 2u);
}

}  // namespace
}  // namespace capella::metric
