#include "metric/sacrebleu.h"

#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/score_items.h"

namespace capella::metric {
namespace {

double sacrebleu(const std::string& caption, const std::vector<std::string>& references,
                 const std::vector<std::string>& settings = {}) {
  return test::score_items({{caption, references}}, "sacrebleu", settings).systems[0].values[0];
}

double geometric_mean(double a, double b, double c, double d) {
  return std::pow(a * b * c * d, 0.25);
}

TEST(SacreBleu, EqualCaptionsScoreHundred) {
  EXPECT_NEAR(sacrebleu("A dog runs fast.", {"A dog runs fast."}), 100.0, 1e-9);
}

TEST(SacreBleu, CaseAndPunctuationCount) {
  EXPECT_LT(sacrebleu("a dog runs fast.", {"A dog runs fast."}), 99.0);
  EXPECT_LT(sacrebleu("A dog runs fast", {"A dog runs fast."}), 99.0);
}

TEST(SacreBleu, ShortCaptionsScoreZeroUnlessTheOrderIsEffective) {
  EXPECT_EQ(sacrebleu("the cat", {"the cat sat"}), 0.0);
  EXPECT_NEAR(sacrebleu("the cat", {"the cat sat"}, {"sacrebleu.effective-order=yes"}),
              100 * std::exp(1 - 3.0 / 2.0), 1e-9);
}

// Precisions 3/5, 0/4, 0/3, 0/2.
TEST(SacreBleu, ZeroCountsAreSmoothed) {
  const std::string caption = "a b c d e";
  const std::vector<std::string> reference = {"a x c y e"};
  EXPECT_NEAR(sacrebleu(caption, reference),
              100 * geometric_mean(3.0 / 5, 1.0 / (2 * 4), 1.0 / (4 * 3), 1.0 / (8 * 2)), 1e-9);
  EXPECT_NEAR(sacrebleu(caption, reference, {"sacrebleu.smooth=floor"}),
              100 * geometric_mean(3.0 / 5, 0.1 / 4, 0.1 / 3, 0.1 / 2), 1e-9);
  EXPECT_NEAR(sacrebleu(caption, reference, {"sacrebleu.smooth=add-k"}),
              100 * geometric_mean(3.0 / 5, 1.0 / 5, 1.0 / 4, 1.0 / 3), 1e-9);
  EXPECT_EQ(sacrebleu(caption, reference, {"sacrebleu.smooth=none"}), 0.0);
}

TEST(SacreBleu, WithoutAnyMatchTheScoreIsZeroWhateverTheSmoothing) {
  EXPECT_EQ(sacrebleu("a b c d", {"w x y z"}), 0.0);
  EXPECT_EQ(sacrebleu("a b c d", {"w x y z"}, {"sacrebleu.smooth=add-k"}), 0.0);
  EXPECT_EQ(sacrebleu("", {"w x y z"}), 0.0);
}

TEST(SacreBleu, SignatureSaysHowManyReferences) {
  const auto signature = [](const std::vector<test::Item>& items) {
    return test::score_items(items, "sacrebleu").columns[0].signature;
  };
  EXPECT_TRUE(signature({{"a", {"a", "b"}}, {"c", {"c", "d"}}})
                  .starts_with("sacreBLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|"));
  EXPECT_TRUE(signature({{"a", {"a", "b"}}, {"c", {"c"}}}).starts_with("sacreBLEU|nrefs:var|"));
}

}  // namespace
}  // namespace capella::metric
