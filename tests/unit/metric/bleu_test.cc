#include "metric/bleu.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/score_items.h"

namespace capella::metric {
namespace {

using test::rows_of_items;
using test::score_items;
using Numbers = std::vector<double>;

TEST(Bleu, RowHoldsLengthsAndCounts) {
  // "a" may count once and "b" once; of the two-word pieces only "a b" stands in a reference.
  const Numbers expected = {/*lengths*/ 3, 3, /*tried*/ 3, 2, 1, 0, /*right*/ 2, 1, 0, 0};
  EXPECT_EQ(rows_of_items({{"a a b", {"a b", "b a b"}}}, "bleu"), expected);
}

TEST(Bleu, ClipsByTheReferenceThatHasMost) {
  const Numbers row = rows_of_items({{"the the the", {"the", "the the x"}}}, "bleu");
  EXPECT_EQ(row[6], 2);  // not 1, and not 1 + 2
}

TEST(Bleu, TheCloserReferenceLengthCountsAndOfEqualsTheShorter) {
  EXPECT_EQ(rows_of_items({{"a b c", {"a b c d e", "a b"}}}, "bleu")[1], 2);
  EXPECT_EQ(rows_of_items({{"a b c", {"a b c d", "a b"}}}, "bleu")[1], 2);
  EXPECT_EQ(rows_of_items({{"a b c", {"a", "a b c d"}}}, "bleu")[1], 4);
}

TEST(Bleu, ScoresAreGeometricMeansOfPrecisions) {
  const Result result = score_items({{"a a b", {"a b", "b a b"}}}, "bleu");
  EXPECT_NEAR(result.systems[0].values[0], 2.0 / 3.0, 1e-8);
  EXPECT_NEAR(result.systems[0].values[1], std::sqrt(2.0 / 3.0 * 1.0 / 2.0), 1e-8);
  EXPECT_NEAR(result.systems[0].values[2], std::cbrt(1.0 / 3.0 * 1e-15), 1e-11);
}

TEST(Bleu, ShortCaptionsArePenalised) {
  const Result result = score_items({{"a b", {"a b c d"}}}, "bleu");
  EXPECT_NEAR(result.systems[0].values[0], std::exp(1 - 4.0 / 2.0), 1e-8);
}

TEST(Bleu, AnExactOneWordCaptionShowsTheConstants) {
  const Result result = score_items({{"dog", {"dog"}}}, "bleu");
  EXPECT_NEAR(result.systems[0].values[0], 1.0, 1e-8);
  EXPECT_NEAR(result.systems[0].values[1], 1e-3, 1e-11);
  EXPECT_NEAR(result.systems[0].values[2], 1e-4, 1e-12);
  EXPECT_NEAR(result.systems[0].values[3], std::pow(10.0, -4.5), 1e-12);
}

TEST(Bleu, TheCorpusIsNotTheMeanOfItsCaptions) {
  const Result result = score_items({{"a b c d", {"a b c d"}}, {"x y", {"u v"}}}, "bleu");
  EXPECT_NEAR(result.systems[0].values[0], 4.0 / 6.0, 1e-8);
  EXPECT_NEAR(result.item_value(0, 0, 0), 1.0, 1e-8);
  EXPECT_NEAR(result.item_value(0, 1, 0), 0.0, 1e-8);
}

TEST(Bleu, PrecisionsAreOnRequest) {
  // 3, 2, 1 and 0 n-grams are tried; 2, 1, 0 and 0 are right.
  ScoreOptions options = test::one_metric("bleu");
  options.detail = true;
  const Result result = score(test::make_dataset({{"a a b", {"a b", "b a b"}}}), options);
  ASSERT_EQ(result.columns.size(), 8u);
  const Numbers expected = {2.0 / 3.0, 1.0 / 2.0, 0.0, 0.0};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(result.columns[4 + n].name, "BLEU-P" + std::to_string(n + 1));
    EXPECT_FALSE(result.columns[4 + n].in_tables);
    EXPECT_EQ(result.systems[0].values[4 + n], expected[n]);
  }
  EXPECT_EQ(score_items({{"a", {"a"}}}, "bleu").columns.size(), 4u);
}

TEST(Bleu, PrecisionsOfACorpusAreThoseOfItsCounts) {
  ScoreOptions options = test::one_metric("bleu");
  options.detail = true;
  const Result result = score(test::make_dataset({{"a b c d", {"a b c d"}}, {"x y", {"u v"}}}), options);
  // 4 of 6, 3 of 4, 2 of 2, 1 of 1; a short caption is not punished here.
  EXPECT_EQ(result.systems[0].values[4], 4.0 / 6.0);
  EXPECT_EQ(result.systems[0].values[5], 3.0 / 4.0);
  EXPECT_EQ(result.systems[0].values[6], 1.0);
  EXPECT_EQ(result.systems[0].values[7], 1.0);
}

TEST(Bleu, AnEmptyCaptionScoresZero) {
  const Result result = score_items({{"", {"a b"}}}, "bleu");
  for (const double value : result.systems[0].values) EXPECT_EQ(value, 0.0);
}

}  // namespace
}  // namespace capella::metric
