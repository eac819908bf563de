// Verdicts on captions from files: which differences are called real, and what is told beside the numbers.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/mln.h"

#include "support/temp_dir.h"

namespace capella {
namespace {

// Images of a man and a bike with one rule: On(x,y), weight 1. So ln P of on(man, bike) is 1 more than that
// of its denial.
class MlnInfer : public ::testing::Test {
 protected:
  using Odds = const char*;
  static constexpr Odds kEntailed = "[0, 0, 1]", kContradicted = "[1, 0, 0]", kNeutral = "[0, 1, 0]";

  std::string ground(std::size_t images, const char* weight = "1") const {
    std::string text = fmt::format("{{\"formulas\": [{{\"text\": \"On(x,y)\", \"weight\": {}}}]}}\n", weight);
    for (std::size_t k = 0; k < images; ++k)
      text += fmt::format(
          R"({{"image_id": "{}", "things": ["bike", "man"], "atoms": [["man", "on", "bike"]], "log_odds": [null], )"
          R"("factors": [{{"atoms": [0], "signs": [1], "kind": "clause", "weight": {}, "formula_id": 0}}], )"
          R"("offset": 0}})"
          "\n",
          k, weight);
    return text;
  }
  static std::string row(const std::string& system, std::size_t image, Odds odds) {
    return fmt::format(R"({{"system": "{}", "image_id": "{}", "atom": ["man", "on", "bike"], "p": {}}})"
                       "\n",
                       system, image, odds);
  }
  static std::string rows(std::size_t images, const std::vector<std::pair<std::string, Odds>>& systems) {
    std::string text;
    for (const auto& [system, odds] : systems) {
      for (std::size_t k = 0; k < images; ++k) text += row(system, k, odds);
    }
    return text;
  }
  InferRun run_of(const std::string& ground, const std::string& nli) const {
    InferRun run;
    run.ground = place_.write("ground.jsonl", ground);
    run.nli = place_.write("nli.jsonl", nli);
    run.inference.threads = 1;
    return run;
  }
  static std::string told(const Verification& verification) {
    std::string text;
    for (const std::string& note : verification.notes) text += note + "\n";
    return text;
  }

  test::TempDir place_;
};

// All images differ by the same, so that no resample strays: p is 1 / 1,001, and Holm doubles it.
TEST_F(MlnInfer, PairsOfManyImagesAreCorrectedAndJudged) {
  const auto systems = rows(20, {{"a", kEntailed}, {"b", kEntailed}, {"c", kContradicted}});
  const Verification found = mln_infer(run_of(ground(20), systems));
  ASSERT_EQ(found.pairs.size(), 2u);
  EXPECT_EQ(found.pairs[0].first, "a");
  EXPECT_EQ(found.pairs[0].difference, 0);
  EXPECT_EQ(found.pairs[0].p, 1);
  EXPECT_EQ(found.pairs[0].p_corrected, 1);
  EXPECT_EQ(found.pairs[0].verdict, Verdict::not_real);
  EXPECT_EQ(found.pairs[1].first, "b");
  EXPECT_EQ(found.pairs[1].second, "c");
  EXPECT_NEAR(found.pairs[1].difference, 1, 1e-12);
  EXPECT_NEAR(found.pairs[1].p, 1. / 1001, 1e-12);
  EXPECT_NEAR(found.pairs[1].p_corrected, 2. / 1001, 1e-12);
  EXPECT_EQ(found.pairs[1].verdict, Verdict::real);
  EXPECT_EQ(told(found), "");
}

TEST_F(MlnInfer, NothingIsRealOnFewImages) {
  for (const std::size_t images : {1, 19}) {
    const auto systems = rows(images, {{"a", kEntailed}, {"c", kContradicted}});
    const Verification found = mln_infer(run_of(ground(images), systems));
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_NEAR(found.pairs[0].p, 1. / 1001, 1e-12);
    EXPECT_EQ(found.pairs[0].verdict, Verdict::undecided);
    EXPECT_EQ(told(found), "1 of 1 pairs share fewer than 20 images: they are undecided.\n");
  }
}

TEST_F(MlnInfer, FewResamplesDecideNothing) {
  InferRun run = run_of(ground(20), rows(20, {{"a", kEntailed}, {"c", kContradicted}}));
  run.resamples = 19;  // 1 / 20 is not below the level
  const Verification found = mln_infer(run);
  EXPECT_EQ(found.pairs.at(0).verdict, Verdict::undecided);
  EXPECT_NE(told(found).find("19 resamples are too few"), std::string::npos) << told(found);
}

// The rule is hard: who denies it is held for 1e-12, and not left out.
TEST_F(MlnInfer, TheImpossibleDoesNotPay) {
  const auto systems = rows(1, {{"a", kEntailed}, {"c", kContradicted}});
  const Verification found = mln_infer(run_of(ground(1, "\"inf\""), systems));
  const JudgedSystem& liar = found.systems.at(1);
  EXPECT_EQ(liar.scored, 1u);
  EXPECT_EQ(liar.impossible, 1u);
  EXPECT_NEAR(liar.log_prob, std::log(1e-12), 1e-9);
  EXPECT_TRUE(std::isnan(liar.log_p));
  EXPECT_NEAR(found.pairs.at(0).difference, -std::log(1e-12), 1e-9);
}

// A sampler's floats take e^-20 for 0, which no hard rule does.
TEST_F(MlnInfer, SamplingScoresAsExactMethodsDo) {
  InferRun run = run_of(ground(2, "20"), row("s", 0, kContradicted) + row("s", 1, kEntailed));
  for (const char* method : {"exact", "gibbs"}) {
    run.inference.method = method;
    const JudgedSystem system = mln_infer(run).systems.at(0);
    EXPECT_EQ(system.scored, 2u) << method;
    EXPECT_EQ(system.impossible, 0u) << method;
    EXPECT_NEAR(system.log_prob, -10, 1e-6) << method;
  }
}

TEST_F(MlnInfer, TellsOfChainsThatDoNotAgree) {
  InferRun run = run_of(ground(3), rows(3, {{"a", kEntailed}}));
  run.inference.method = "gibbs";
  run.inference.most_sweeps = 100;
  const Verification found = mln_infer(run);
  EXPECT_FALSE(found.captions.at(0).converged);
  EXPECT_EQ(told(found), "3 of 3 sampled captions did not converge: more --sweeps.\n");
}

TEST_F(MlnInfer, ThePublishedConditionalIsForComparisonOnly) {
  InferRun run = run_of(ground(3), rows(3, {{"a", kEntailed}}));
  run.inference.sum_exp = true;
  const Verification found = mln_infer(run);
  ASSERT_EQ(found.methods.size(), 1u);
  EXPECT_EQ(found.methods[0].first, "sum-exp");
  EXPECT_NE(told(found).find("for comparison only"), std::string::npos) << told(found);
}

// A caption that was judged has a row, be it a neutral one; without any there is no caption.
TEST_F(MlnInfer, ImagesWithoutNetworkOnlyCountWhereThereIsACaption) {
  const std::string empty =
      R"({"image_id": "9", "things": ["cup"], "atoms": [], "log_odds": [], "factors": [], "offset": 0})"
      "\n";
  const std::string nli = row("a", 0, kEntailed) + row("b", 0, kEntailed) + row("b", 9, kNeutral);
  const Verification found = mln_infer(run_of(ground(1) + empty, nli));
  EXPECT_EQ(found.systems.at(0).captions, 1u);
  EXPECT_EQ(found.systems.at(0).no_network, 0u);
  EXPECT_EQ(found.systems.at(1).captions, 2u);
  EXPECT_EQ(found.systems.at(1).no_network, 1u);
}

}  // namespace
}  // namespace capella
