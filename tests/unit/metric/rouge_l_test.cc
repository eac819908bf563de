#include "metric/rouge_l.h"

#include <gtest/gtest.h>

#include "support/score_items.h"

namespace capella::metric {
namespace {

double rouge(const std::string& caption, const std::vector<std::string>& references,
             const std::vector<std::string>& settings = {}) {
  return test::score_items({{caption, references}}, "rouge-l", settings).systems[0].values[0];
}

TEST(RougeL, BestPrecisionAndBestRecallMayComeFromDifferentReferences) {
  // Against "a b": 2 common words, P = 2/4, R = 2/2. Against "a x c y d": 3, P = 3/4, R = 3/5.
  EXPECT_DOUBLE_EQ(rouge("a b c d", {"a b", "a x c y d"}), 2.44 * 0.75 * 1.0 / (1.0 + 1.44 * 0.75));
}

TEST(RougeL, WordsMustStandInTheSameOrder) {
  EXPECT_DOUBLE_EQ(rouge("a b c", {"c b a"}), 1.0 / 3.0);
  EXPECT_EQ(rouge("a b c", {"a b c"}), 1.0);
  EXPECT_EQ(rouge("a b c", {"x y z"}), 0.0);
}

TEST(RougeL, AnEmptyTextIsOneEmptyWord) {
  EXPECT_EQ(rouge("", {""}), 1.0);
  EXPECT_EQ(rouge("", {"a"}), 0.0);
}

TEST(RougeL, DoubleSpacesMakeEmptyWords) {
  // "a", "", "b" against "a", "b": P = 2/3, R = 1.
  EXPECT_DOUBLE_EQ(rouge("a  b", {"a b"}), 2.44 * (2.0 / 3.0) / (1.0 + 1.44 * (2.0 / 3.0)));
  EXPECT_EQ(rouge("9\u00A0am", {"9 am"}), 0.0);
}

TEST(RougeL, BetaCanBeSet) {
  // P = 1, R = 1/2; with beta = 1 this is the harmonic mean.
  EXPECT_DOUBLE_EQ(rouge("a", {"a b"}, {"rouge-l.beta=1"}), 2.0 / 3.0);
}

}  // namespace
}  // namespace capella::metric
