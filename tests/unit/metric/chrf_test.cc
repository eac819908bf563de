#include "metric/chrf.h"

#include <gtest/gtest.h>

#include "support/score_items.h"

namespace capella::metric {
namespace {

double chrf(const std::string& caption, const std::vector<std::string>& references,
            const std::vector<std::string>& settings = {}) {
  return test::score_items({{caption, references}}, "chrf", settings).systems[0].values[0];
}

TEST(Chrf, AveragesTheOrdersThatBothSidesHave) {
  // Characters 2/3, pairs 1/2, triples 0/1 for precision and recall alike.
  EXPECT_NEAR(chrf("abc", {"abd"}), 100 * (2.0 / 3 + 1.0 / 2 + 0) / 3, 1e-9);
}

TEST(Chrf, RecallWeighsMore) {
  // Precision 1; recall (2/4 + 1/3) / 2 = 5/12; F with beta 2 is 25/53, with beta 1 it is 10/17.
  EXPECT_NEAR(chrf("ab", {"abcd"}), 100 * 25.0 / 53, 1e-9);
  EXPECT_NEAR(chrf("ab", {"abcd"}, {"chrf.beta=1"}), 100 * 10.0 / 17, 1e-9);
}

TEST(Chrf, WhiteSpaceDoesNotCountAndCharactersAreCodePoints) {
  EXPECT_NEAR(chrf("a b\u00A0c", {"abc"}), 100.0, 1e-9);
  EXPECT_NEAR(chrf("é", {"è"}, {"chrf.char-order=1"}), 0.0, 1e-9);  // they share their first byte
}

TEST(Chrf, TheBestReferenceCounts) {
  EXPECT_NEAR(chrf("abc", {"xyz", "abc", "abd"}), 100.0, 1e-9);
}

TEST(Chrf, NothingInCommonIsZero) {
  EXPECT_EQ(chrf("abc", {"xyz"}), 0.0);
  EXPECT_EQ(chrf("", {"xyz"}), 0.0);
  EXPECT_EQ(chrf("", {""}), 0.0);
}

TEST(ChrfPlusPlus, CutsOnePunctuationMarkOffWords) {
  // Characters 3/4, 2/3, 1/2 and words 1/2 for precision; recall is 1 throughout: F = 145/164.
  EXPECT_NEAR(chrf("dog.", {"dog"}, {"chrf.word-order=2"}), 100 * 145.0 / 164, 1e-9);
}

TEST(ChrfPlusPlus, HasItsOwnName) {
  EXPECT_EQ(test::score_items({{"a", {"a"}}}, "chrf", {"chrf.word-order=2"}).columns[0].name, "chrF++");
  EXPECT_EQ(test::score_items({{"a", {"a"}}}, "chrf").columns[0].name, "chrF");
}

TEST(Chrf, TheCorpusSumsStatistics) {
  // Order 1 only. First caption 2 of 2, second 0 of 4: together 2 of 6, not one half.
  const Result result =
      test::score_items({{"ab", {"ab"}}, {"wxyz", {"abcd"}}}, "chrf", {"chrf.char-order=1"});
  EXPECT_NEAR(result.systems[0].values[0], 100.0 / 3, 1e-9);
}

}  // namespace
}  // namespace capella::metric
