// Classifiers on top of BERT and RoBERTa, on small random weights.
#include "encoder/classifier.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_encoders.h"
#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

using test::MemoryWeights;
using test::message_of;
using test::small_bert;
using test::small_bert_config;
using test::TempDir;
using test::token_batch;

constexpr std::size_t kLabels = 3;

MemoryWeights on_bert() {
  MemoryWeights weights = small_bert("bert.");
  std::mt19937_64 random(3);
  weights.fill_linear("classifier", kLabels, 32, random);
  return weights;
}

MemoryWeights on_roberta() {
  MemoryWeights weights = small_bert("roberta.");
  std::mt19937_64 random(3);
  weights.fill_linear("classifier.dense", 32, 32, random);
  weights.fill_linear("classifier.out_proj", kLabels, 32, random);
  return weights;
}

nlohmann::json with_labels(const char* kind) {
  nlohmann::json config = small_bert_config(kind);
  config["id2label"] = {{"0", "contradiction"}, {"1", "neutral"}, {"2", "entailment"}};
  return config;
}

Classifier classifier_open(const MemoryWeights& weights, const nlohmann::json& config) {
  TempDir folder;
  return Classifier(ModelFolder(folder.write("model.safetensors", weights.bytes()), config));
}

std::vector<double> linear(const MemoryWeights& weights, const std::string& name,
                           const std::vector<double>& x) {
  const std::vector<float>&weight = weights.values(name + ".weight"), &bias = weights.values(name + ".bias");
  std::vector<double> y(bias.begin(), bias.end());
  for (std::size_t o = 0; o < y.size(); ++o) {
    for (std::size_t i = 0; i < x.size(); ++i) y[o] += static_cast<double>(weight[o * x.size() + i]) * x[i];
  }
  return y;
}

std::vector<double> expected_logits(const MemoryWeights& weights, const Bert& bert, const TokenBatch& batch,
                                    const std::string& dense, const std::string& last) {
  std::vector<float> first(bert.width());
  bert.first_tokens(tensor::kernels(), batch, first.data());
  std::vector<double> inner = linear(weights, dense, {first.begin(), first.end()});
  for (double& x : inner) x = std::tanh(x);
  return linear(weights, last, inner);
}

void expect_near(const std::vector<float>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5);
}

TEST(Classifier, ReadsBertsPooledFirstToken) {
  const Classifier classifier = classifier_open(on_bert(), with_labels("bert"));
  const TokenBatch batch = token_batch({{2, 17, 4, 3}});
  std::vector<float> logits(kLabels);
  classifier.logits(tensor::kernels(), batch, logits.data());
  expect_near(logits,
              expected_logits(on_bert(), classifier.bert(), batch, "bert.pooler.dense", "classifier"));
  EXPECT_EQ(classifier.labels(), (std::vector<std::string>{"contradiction", "neutral", "entailment"}));
}

TEST(Classifier, ReadsRobertasFirstTokenThroughALayerOfItsOwn) {
  const Classifier classifier = classifier_open(on_roberta(), with_labels("roberta"));
  const TokenBatch batch = token_batch({{2, 17, 4, 3}, {2, 9}});
  std::vector<float> logits(2 * kLabels);
  classifier.logits(tensor::kernels(), batch, logits.data());
  logits.resize(kLabels);
  expect_near(logits, expected_logits(on_roberta(), classifier.bert(), token_batch({{2, 17, 4, 3}}),
                                      "classifier.dense", "classifier.out_proj"));
}

TEST(Classifier, PutsPairsTogetherAsTheModelsWereTrained) {
  TokenBatch batch;
  batch.add(std::vector<std::int32_t>{50, 51});
  classifier_open(on_bert(), with_labels("bert"))
      .add_pair(std::vector<std::int32_t>{2, 7, 3}, std::vector<std::int32_t>{2, 8, 9, 3}, batch);
  EXPECT_EQ(batch.ids, (std::vector<std::int32_t>{50, 51, 2, 7, 3, 8, 9, 3}));
  EXPECT_EQ(batch.second, (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(batch.ends, (std::vector<std::size_t>{2, 8}));
  batch.add(std::vector<std::int32_t>{50});
  EXPECT_EQ(batch.second.size(), 9u);
  TokenBatch other;
  classifier_open(on_roberta(), with_labels("roberta"))
      .add_pair(std::vector<std::int32_t>{0, 7, 2}, std::vector<std::int32_t>{0, 8, 9, 2}, other);
  EXPECT_EQ(other.ids, (std::vector<std::int32_t>{0, 7, 2, 2, 8, 9, 2}));
}

TEST(Classifier, LabelsHaveNumbersWhereTheyHaveNoNames) {
  EXPECT_EQ(classifier_open(on_bert(), small_bert_config()).labels(),
            (std::vector<std::string>{"LABEL_0", "LABEL_1", "LABEL_2"}));
}

TEST(Classifier, NamesWhatIsMissing) {
  const auto said = [](const MemoryWeights& weights) {
    return message_of<FileError>([&] { classifier_open(weights, small_bert_config()); });
  };
  EXPECT_NE(said(small_bert("bert.")).find("'classifier.weight'"), std::string::npos);
  MemoryWeights weights = on_bert();
  weights.erase("bert.pooler.dense.weight");
  EXPECT_NE(said(weights).find("'pooler.dense.weight'"), std::string::npos);
  weights = on_roberta();
  weights.erase("classifier.dense.bias");
  EXPECT_NE(said(weights).find("'classifier.dense.bias'"), std::string::npos);
}

}  // namespace
}  // namespace capella::encoder
