// The metrics built on an encoder of texts: what can be told without numbers of a real model.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "metric/bertscore.h"
#include "metric/bertscore_matching.h"
#include "metric/token_vectors.h"
#include "support/corpus.h"
#include "support/message_of.h"
#include "support/metric_texts.h"
#include "support/small_sentence_encoder.h"

namespace capella::test {
namespace {

const std::vector<Item> kEncoderMetricsItems = {{"a dog runs", {"a dog runs", "cats on grass"}},
                                                {"red cat!", {"a red dog", "red cat", "cat"}},
                                                {"", {"a dog", "grass"}}};

class EncoderMetrics : public ::testing::Test {
 protected:
  ScoreOptions options(const std::string& metric, const std::vector<std::string>& settings = {}) const {
    ScoreOptions options;
    options.metrics = {metric};
    options.settings = {metric + ".model=" + model_.path()};
    for (const std::string& setting : settings) options.settings.push_back(metric + "." + setting);
    options.threads = 1;
    return options;
  }
  Result run(const std::string& metric, const std::vector<std::string>& settings = {}) const {
    return score(make_dataset(kEncoderMetricsItems), options(metric, settings));
  }
  std::string refusal(const std::string& metric, const std::vector<std::string>& settings) const {
    return message_of<UsageError>([&] { run(metric, settings); });
  }

  SmallSentenceEncoder model_;
};

// A text is as near to itself as can be.
TEST_F(EncoderMetrics, EqualTextsHaveTheBestScore) {
  EXPECT_DOUBLE_EQ(run("sentence-cosine", {"over=max"}).item_value(0, 0, 0), 1.0);
  EXPECT_NEAR(run("bertscore").item_value(0, 0, 0), 1.0, 1e-6);
  const std::vector<Item> same = {{"a dog runs", {"a dog runs"}}};
  EXPECT_DOUBLE_EQ(score(make_dataset(same), options("moverscore")).item_value(0, 0, 0), 1.0);
}

TEST_F(EncoderMetrics, SignaturesNameModelAndChoices) {
  const std::string name = model_.folder().path().filename().string();
  const std::string fingerprint = encoder::SentenceEncoder(model_.path()).fingerprint().substr(0, 8);
  const std::string described = "model:" + name + "(" + fingerprint + ")";
  const auto signature = [&](const std::string& metric, const std::vector<std::string>& settings = {}) {
    const std::string whole = run(metric, settings).columns[0].signature;
    return whole.substr(0, whole.find("|capella:"));
  };
  EXPECT_EQ(signature("sentence-cosine"), "Sentence-cosine|" + described + "|pool:mean|ref:both");
  EXPECT_EQ(signature("sentence-cosine", {"over=max", "pooling=first"}),
            "Sentence-cosine|" + described + "|pool:first|ref:max");
  EXPECT_EQ(signature("sentence-cosine", {"precision=float"}), signature("sentence-cosine"));
  EXPECT_EQ(signature("sentence-cosine", {"precision=int8"}),
            "Sentence-cosine|" + described + "|pool:mean|precision:int8|ref:both");
  EXPECT_EQ(signature("bertscore"), "BERTScore|" + described + "|layer:2|idf:no|rescale:no|ref:max");
  EXPECT_EQ(signature("bertscore", {"layer=1", "idf=yes"}),
            "BERTScore|" + described + "|layer:1|idf:refs|rescale:no|ref:max");
  EXPECT_EQ(signature("moverscore"),
            "MoverScore|" + described + "|version:2|layer:2|idf:no|subwords:drop|ref:mean");
}

TEST_F(EncoderMetrics, EightBitsAreNearlyTheSame) {
  const Result exact = run("sentence-cosine"), small = run("sentence-cosine", {"precision=int8"});
  for (std::size_t i = 0; i < kEncoderMetricsItems.size(); ++i)
    EXPECT_NEAR(small.item_value(0, i, 0), exact.item_value(0, i, 0), .01);
  EXPECT_NE(small.systems[0].item_values, exact.systems[0].item_values);
  EXPECT_NE(refusal("sentence-cosine", {"precision=int4"}).find("expected one of float, int8"),
            std::string::npos);
}

// Both precisions of one model in one run, whoever comes first.
TEST_F(EncoderMetrics, OthersAreNotMadeLessExact) {
  ScoreOptions both = options("sentence-cosine", {"precision=int8"});
  both.metrics = {"sentence-cosine", "bertscore"};
  both.settings.push_back("bertscore.model=" + model_.path());
  const Result found = score(make_dataset(kEncoderMetricsItems), both);
  const Result alone = run("bertscore");
  for (std::size_t i = 0; i < kEncoderMetricsItems.size(); ++i)
    EXPECT_EQ(found.item_value(0, i, 1), alone.item_value(0, i, 0));
}

TEST_F(EncoderMetrics, OverChoosesBetweenNearestAndMean) {
  const Result both = run("sentence-cosine");
  const Result most = run("sentence-cosine", {"over=max"});
  const Result mean = run("sentence-cosine", {"over=mean"});
  for (std::size_t i = 0; i < kEncoderMetricsItems.size(); ++i) {
    EXPECT_GT(most.item_value(0, i, 0), mean.item_value(0, i, 0));
    EXPECT_DOUBLE_EQ(both.item_value(0, i, 0), (most.item_value(0, i, 0) + mean.item_value(0, i, 0)) / 2);
  }
}

// bert-score says so: an empty candidate has 0.
TEST_F(EncoderMetrics, BertScoreOfNothingIsZero) {
  EXPECT_EQ(run("bertscore").item_value(0, 2, 0), 0.0);
}

// bert-score gives no weight to the numbers of [CLS] and [SEP], also where a text names them.
TEST_F(EncoderMetrics, SpecialTokensWeighNothingAnywhere) {
  const std::vector<std::int32_t> ids = {2, 7, 3, 8, 2, 3};
  EXPECT_EQ(metric::token_weights({ids, nullptr, 0}, nullptr), (std::vector<double>{0, 1, 0, 1, 0, 0}));
}

TEST_F(EncoderMetrics, RescaledScoresHaveNoLeastValue) {
  const auto low = [&](const char* rescale) {
    metric::Settings settings("bertscore", metric::kBertScoreSettings);
    settings.set("rescale", rescale);
    return metric::make_bertscore(settings)->info().scores[0].low;
  };
  EXPECT_EQ(low("no"), -1.0);
  EXPECT_EQ(low("yes"), -std::numeric_limits<double>::infinity());
}

TEST_F(EncoderMetrics, RefusesSettingsThatDoNotFitTheModel) {
  EXPECT_NE(refusal("bertscore", {"layer=3"}).find("bertscore.layer is 3, but"), std::string::npos);
  EXPECT_NE(refusal("bertscore", {"rescale=yes"}).find("was not published for layer 2"), std::string::npos);
  EXPECT_NE(refusal("moverscore", {"version=1"}).find("takes the last 5 layers"), std::string::npos);
  EXPECT_NE(refusal("moverscore", {"version=3"}).find("expected"), std::string::npos);
}

TEST_F(EncoderMetrics, ThreadsChangeNoBit) {
  for (const std::string metric : {"sentence-cosine", "bertscore", "moverscore"}) {
    ScoreOptions one = options(metric), four = options(metric);
    four.threads = 4;
    const Dataset dataset = make_dataset(kEncoderMetricsItems);
    EXPECT_EQ(score(dataset, one).systems[0].item_values, score(dataset, four).systems[0].item_values);
  }
}

// What does not fit is told with the number of texts and whose they are.
TEST_F(EncoderMetrics, LongTextsAreNotCutInSilence) {
  std::string fifteen, thirty;
  for (int i = 0; i < 15; ++i) fifteen += "dog ";
  thirty = fifteen + fifteen;
  const Dataset dataset = make_dataset({{fifteen, {"a dog", thirty}}, {thirty, {"a", thirty}}});
  const auto warnings = score(dataset, options("sentence-cosine")).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0],
            "sentence-cosine: 2 references have more than the 12 tokens that the encoder takes (ids 0, 1); "
            "what follows them does not count");
  EXPECT_TRUE(warnings[1].starts_with("sentence-cosine: 2 captions have more than the 12 tokens"))
      << warnings[1];
  const auto of_tokens = score(dataset, options("bertscore")).warnings;
  ASSERT_EQ(of_tokens.size(), 2u);
  EXPECT_TRUE(of_tokens[1].starts_with(
      "bertscore: 1 caption has more than the 20 tokens that the encoder takes (id 1);"))
      << of_tokens[1];
}

TEST_F(EncoderMetrics, OfManyLongTextsThreeAreNamed) {
  std::string longer;
  for (int i = 0; i < 30; ++i) longer += "dog ";
  const std::vector<Item> items = {
      {"a", {"a", longer, longer}}, {"a", {"a"}}, {"a", {longer}}, {"a", {longer}}, {"a", {longer}}};
  const auto warnings = score(make_dataset(items), options("moverscore")).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("5 references have"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("(ids 0, 2, 3 and 1 more)"), std::string::npos) << warnings[0];
}

// One reference, or several with the same words: log((M + 1) / (n + 1)) is 0 for all of them.
TEST_F(EncoderMetrics, WeightsThatTellNothingAreTold) {
  const std::vector<Item> one = {{"a dog", {"a dog runs"}}};
  for (const std::string metric : {"bertscore", "moverscore"}) {
    const auto warnings = score(make_dataset(one), options(metric, {"idf=yes"})).warnings;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(
        warnings[0].starts_with(metric + ": with idf=yes no token of the references weighs anything"));
    EXPECT_TRUE(score(make_dataset(one), options(metric)).warnings.empty());
    EXPECT_EQ(run(metric, {"idf=yes"}).warnings, run(metric).warnings);
  }
}

// References may be too many to be kept, or not the prepared ones: the rows are the same.
TEST_F(EncoderMetrics, ReferencesEncodedLaterGiveTheSameRows) {
  const encoder::SentenceEncoder encoder(model_.path());
  metric::Settings settings("bertscore", metric::kBertScoreSettings);
  settings.set("idf", "yes");
  const auto metric = metric::make_bertscore(settings);
  metric::Resources resources;
  resources.encoder = &encoder;
  const MetricTexts texts(kEncoderMetricsItems, text::Detail::captions);
  const auto kept = metric->prepare(texts.references(), resources);
  const metric::TokenState never(texts.references(), resources, {2, 0, true}, true, 0);
  resources.items = {1, 2};  // of other items alone
  const auto other = metric->prepare(texts.references(), resources);
  EXPECT_EQ(texts.rows(*metric, kept.get()), texts.rows(*metric, &never));
  EXPECT_EQ(texts.rows(*metric, kept.get()), texts.rows(*metric, other.get()));
}

TEST_F(EncoderMetrics, ExplanationsShowTokensAndReferences) {
  const auto explain_one = [&](const std::string& metric) {
    return explain(make_dataset(kEncoderMetricsItems), "1", options(metric)).by_metric[0];
  };
  const Explanation cosine = explain_one("sentence-cosine");
  ASSERT_EQ(cosine.tables.size(), 1u);
  EXPECT_EQ(cosine.tables[0].rows.size(), 3u);
  const Explanation tokens = explain_one("bertscore");
  ASSERT_EQ(tokens.tables.size(), 3u);
  ASSERT_EQ(tokens.tables[1].rows.size(), 3u);  // red, cat, !
  EXPECT_EQ(tokens.tables[1].rows[0][0], "red");
  EXPECT_EQ(tokens.tables[1].rows[2][0], "!");
  const Explanation moves = explain_one("moverscore");
  ASSERT_EQ(moves.tables.size(), 2u);
  double amount = 0.0;
  for (const auto& row : moves.tables[1].rows) amount += std::stod(row[2]);
  EXPECT_NEAR(amount, 1.0, 1e-3);
}

TEST_F(EncoderMetrics, AModelThatIsNotThereIsAnError) {
  ScoreOptions wrong = options("bertscore");
  wrong.settings = {"bertscore.model=no/such/folder"};
  EXPECT_NE(message_of<FileError>([&] { check_options(wrong); }).find("no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace capella::test
