// Layers and baselines are those of bert-score's tables.
#include "metric/bertscore_models.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace capella::metric {
namespace {

using Names = std::vector<std::string>;

ModelTraits roberta_large(Names names) {
  return {true, 24, 1024, 50265, std::move(names)};
}

TEST(BertScoreModels, ANameAndSizesMakeAModelKnown) {
  const KnownModel large = known_model(roberta_large({"roberta-large"}));
  ASSERT_NE(large.model, nullptr);
  EXPECT_EQ(large.model->layer, 17u);
  EXPECT_EQ((*large.model->unrelated_texts)[2], 0.83122575);
  EXPECT_FALSE(large.guessed);
  const KnownModel entailment = known_model(roberta_large({"checkpoint-7", "roberta-large-mnli"}));
  EXPECT_EQ(entailment.model->layer, 19u);
  EXPECT_FALSE(entailment.model->unrelated_texts);
  EXPECT_FALSE(entailment.guessed);
  EXPECT_EQ(known_model({false, 12, 768, 30522, {"bert-base-uncased"}}).model->layer, 9u);
}

TEST(BertScoreModels, WithoutANameItIsAGuess) {
  for (const Names& names : {Names{}, Names{"my-model"}, Names{"roberta-base"}}) {
    const KnownModel known = known_model(roberta_large(names));
    ASSERT_NE(known.model, nullptr);
    EXPECT_EQ(known.model->name, "roberta-large");
    EXPECT_TRUE(known.guessed);
  }
}

TEST(BertScoreModels, AGuessIsTold) {
  const KnownModel guessed = known_model(roberta_large({"my-model"}));
  const std::string layer = guess_warning(guessed, "my-model(01234567)", true, false);
  EXPECT_NE(layer.find("my-model(01234567) is"), std::string::npos) << layer;
  EXPECT_NE(layer.find("taken for roberta-large, so its layer 17 is read; if"), std::string::npos) << layer;
  const std::string rescaled = guess_warning(guessed, "my-model(01234567)", false, true);
  EXPECT_NE(rescaled.find("so what unrelated texts reach with it"), std::string::npos) << rescaled;
  EXPECT_EQ(guess_warning(guessed, "my-model(01234567)", false, false), "");
  EXPECT_EQ(guess_warning(known_model(roberta_large({"roberta-large"})), "x", true, true), "");
  EXPECT_EQ(guess_warning(known_model({true, 2, 32, 20}), "x", true, true), "");
}

// bert-base-cased and multilingual BERT have the sizes of bert-base-uncased, but other words.
TEST(BertScoreModels, OtherSizesOrWordsMakeAnother) {
  EXPECT_EQ(known_model({false, 12, 768, 28996, {"bert-base-uncased"}}).model, nullptr);
  EXPECT_EQ(known_model({false, 12, 768, 119547}).model, nullptr);
  EXPECT_EQ(known_model({true, 6, 768, 50265, {"roberta-base"}}).model, nullptr);
  EXPECT_EQ(known_model({false, 24, 1024, 50265, {"roberta-large"}}).model, nullptr);
}

}  // namespace
}  // namespace capella::metric
