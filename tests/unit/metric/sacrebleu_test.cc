#include "metric/sacrebleu.h"

#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/score_items.h"

namespace capella::metric {
namespace {

Result result_of(const std::vector<test::Item>& items, const std::string& tokenizer,
                 const std::vector<std::string>& settings = {}) {
  ScoreOptions options = test::one_metric("sacrebleu", settings);
  options.tokenizer = tokenizer;
  return score(test::make_dataset(items), options);
}

double sacrebleu(const std::string& caption, const std::vector<std::string>& references,
                 const std::vector<std::string>& settings = {}) {
  return result_of({{caption, references}}, "13a", settings).systems[0].values[0];
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
    return result_of(items, "13a").columns[0].signature;
  };
  EXPECT_TRUE(signature({{"a", {"a", "b"}}, {"c", {"c", "d"}}})
                  .starts_with("sacreBLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|"));
  EXPECT_TRUE(signature({{"a", {"a", "b"}}, {"c", {"c"}}}).starts_with("sacreBLEU|nrefs:var|"));
}

// Expected: sacrebleu 2.6.0, BLEU(tokenize="none") and BLEU(tokenize="13a"), corpus_score and sentence_score.
TEST(SacreBleu, TokenizerNoneSplitsAtWhiteSpaceAlone) {
  const std::vector<test::Item> items = {
      {"A dog runs , fast on the grass.", {"A dog runs , fast on grass.", "the dog is running"}},
      {"two cats\u00a0sleep on a sofa .",
       {"two cats\u00a0sleep on the sofa .", "cats are sleeping on a sofa ."}},
      {"a man  rides a red bicycle", {"a man rides a bicycle", "a man rides\ta red bicycle outside"}}};
  const Result none = result_of(items, "none");
  EXPECT_TRUE(
      none.columns[0].signature.starts_with("sacreBLEU|nrefs:2|case:mixed|eff:no|tok:none|smooth:exp|"));
  EXPECT_NEAR(none.systems[0].values[0], 82.97773030513044, 1e-9);
  const std::vector<double> each = {73.11104457090251, 79.52707287670508, 100.0};
  for (std::size_t item = 0; item < each.size(); ++item)
    EXPECT_NEAR(none.item_value(0, item, 0), each[item], 1e-9) << item;
  for (const char* tokenizer : {"13a", "ptb", "karpathy"})
    EXPECT_NEAR(result_of(items, tokenizer).systems[0].values[0], 80.16334016168743, 1e-9) << tokenizer;
}

}  // namespace
}  // namespace capella::metric
