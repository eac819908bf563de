// BERT and RoBERTa on small random weights: names, positions, limits.
#include "encoder/bert.h"

#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/device_model.h"
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

Bert open(const MemoryWeights& weights, const nlohmann::json& config = small_bert_config()) {
  TempDir folder;
  return Bert(ModelFolder(folder.write("model.safetensors", weights.bytes()), config));
}

std::string message(const MemoryWeights& weights, const nlohmann::json& config = small_bert_config()) {
  return message_of<FileError>([&] { open(weights, config); });
}

// The last hidden states of all tokens.
std::vector<float> last_states(const Bert& bert, const TokenBatch& batch) {
  std::vector<float> states;
  bert.run(tensor::kernels(), batch, bert.layers(),
           [&](std::size_t layer, const float* rows, std::size_t stride) {
             if (layer == bert.layers()) states.assign(rows, rows + batch.ids.size() * stride);
           });
  return states;
}

std::vector<float> first_tokens(const Bert& bert, const TokenBatch& batch) {
  std::vector<float> states(batch.size() * bert.width());
  bert.first_tokens(tensor::kernels(), batch, states.data());
  return states;
}

MemoryWeights renamed(const MemoryWeights& weights, std::string (*rename)(std::string)) {
  MemoryWeights result;
  for (const std::string& name : weights.names())
    result.set(rename(name), weights.shape(name), weights.values(name));
  return result;
}

TEST(Bert, TellsItsSizes) {
  const Bert bert = open(small_bert());
  EXPECT_EQ(bert.width(), 32u);
  EXPECT_EQ(bert.layers(), 2u);
  EXPECT_EQ(bert.vocabulary(), 60u);
  EXPECT_EQ(bert.most_tokens(), 20u);
  EXPECT_TRUE(bert.has_pooler());
}

TEST(Bert, ReadsTheNamesOfEveryAge) {
  const TokenBatch batch = token_batch({{2, 17, 4, 3}, {5}});
  const std::vector<float> expected = last_states(open(small_bert()), batch);
  EXPECT_EQ(last_states(open(small_bert("bert.")), batch), expected);
  const MemoryWeights old = renamed(small_bert(), [](std::string name) {
    const std::size_t weight = name.find("LayerNorm.weight"), bias = name.find("LayerNorm.bias");
    if (weight != std::string::npos) name.replace(weight, std::string::npos, "LayerNorm.gamma");
    if (bias != std::string::npos) name.replace(bias, std::string::npos, "LayerNorm.beta");
    return name;
  });
  EXPECT_FALSE(old.has("embeddings.LayerNorm.weight"));
  EXPECT_EQ(last_states(open(old), batch), expected);
}

TEST(Bert, ASequenceDoesNotDependOnTheOthers) {
  const Bert bert = open(small_bert());
  const std::vector<float> both = last_states(bert, token_batch({{2, 17, 4, 3}, {5, 6, 7}}));
  const std::vector<float> one = last_states(bert, token_batch({{5, 6, 7}}));
  EXPECT_TRUE(std::equal(one.begin(), one.end(), both.begin() + 4 * 32));
}

TEST(Bert, TheFirstTokenIsThatOfTheWholeRun) {
  const Bert bert = open(small_bert());
  const TokenBatch batch = token_batch({{2, 17, 4, 3}, {5, 6, 7}});
  const std::vector<float> all = last_states(bert, batch), first = first_tokens(bert, batch);
  EXPECT_TRUE(std::equal(first.begin(), first.begin() + 32, all.begin()));
  EXPECT_TRUE(std::equal(first.begin() + 32, first.end(), all.begin() + 4 * 32));
}

TEST(Bert, FewerLayersAreTheFirstOnes) {
  const Bert bert = open(small_bert());
  const TokenBatch batch = token_batch({{2, 17, 4, 3}});
  std::vector<std::vector<float>> all, some;
  const auto keep = [&](std::vector<std::vector<float>>& to) {
    return
        [&](std::size_t, const float* rows, std::size_t stride) { to.emplace_back(rows, rows + 4 * stride); };
  };
  bert.run(tensor::kernels(), batch, 2, keep(all));
  bert.run(tensor::kernels(), batch, 1, keep(some));
  ASSERT_EQ(all.size(), 3u);
  all.pop_back();
  EXPECT_EQ(some, all);
  EXPECT_NE(all[0], all[1]);
  EXPECT_NE(
      message_of<UsageError>([&] { bert.run(tensor::kernels(), batch, 3, nullptr); }).find("the model has 2"),
      std::string::npos);
}

TEST(Bert, ARunMayRunInsideAnother) {
  const Bert bert = open(small_bert());
  const TokenBatch outer = token_batch({{2, 17, 4, 3}}), inner = token_batch({{9, 8, 7}, {6, 5}});
  const std::vector<float> alone = last_states(bert, outer);
  std::vector<float> states;
  bert.run(tensor::kernels(), outer, 2, [&](std::size_t, const float* rows, std::size_t stride) {
    last_states(bert, inner);
    states.assign(rows, rows + 4 * stride);
  });
  EXPECT_EQ(states, alone);
}

// RoBERTa's positions begin behind that of padding: the same as BERT's with the table moved.
TEST(Bert, RobertasPositionsBeginBehindThePadding) {
  MemoryWeights moved = small_bert();
  std::vector<float> places = moved.values("embeddings.position_embeddings.weight");
  places.erase(places.begin(), places.begin() + 2 * 32);
  moved.set("embeddings.position_embeddings.weight", {18, 32}, places);
  const TokenBatch batch = token_batch({{2, 17, 4, 3}, {5}});
  const Bert roberta = open(small_bert(), small_bert_config("roberta"));
  EXPECT_EQ(roberta.most_tokens(), 18u);
  EXPECT_EQ(last_states(roberta, batch), last_states(open(moved), batch));
  EXPECT_EQ(last_states(open(small_bert("roberta."),
                             [] {
                               nlohmann::json config = small_bert_config();
                               config.erase("model_type");
                               return config;
                             }()),
                        batch),
            last_states(roberta, batch));
}

TEST(Bert, SecondTextsHaveTheirOwnKind) {
  TokenBatch batch = token_batch({{2, 17, 4, 3}});
  const Bert bert = open(small_bert());
  const std::vector<float> plain = last_states(bert, batch);
  batch.second = {0, 0, 0, 0};
  EXPECT_EQ(last_states(bert, batch), plain);
  batch.second = {0, 0, 1, 1};
  EXPECT_NE(last_states(bert, batch), plain);
  MemoryWeights one_kind = small_bert();
  std::vector<float> kinds = one_kind.values("embeddings.token_type_embeddings.weight");
  kinds.resize(32);
  one_kind.set("embeddings.token_type_embeddings.weight", {1, 32}, kinds);
  EXPECT_EQ(last_states(open(one_kind), batch), plain);
}

TEST(Bert, RefusesTokensThatItDoesNotKnow) {
  const Bert bert = open(small_bert());
  const auto said = [&](const TokenBatch& batch) {
    return message_of<UsageError>([&] { bert.run(tensor::kernels(), batch, 1, nullptr); });
  };
  EXPECT_NE(said(token_batch({{2, 60}})).find("a token has the number 60, the model knows 60"),
            std::string::npos);
  EXPECT_NE(said(token_batch({{-1}})).find("number -1"), std::string::npos);
  EXPECT_NE(said(token_batch({std::vector<std::int32_t>(21, 5)})).find("21 tokens, the model takes 20"),
            std::string::npos);
  EXPECT_NE(said(token_batch({{2}, {}})).find("empty"), std::string::npos);
  TokenBatch loose = token_batch({{2, 3}});
  loose.ids.push_back(4);
  EXPECT_NE(said(loose).find("of no sequence"), std::string::npos);
}

TEST(Bert, NamesWhatIsMissingOrHasAnotherShape) {
  for (const char* name :
       {"embeddings.word_embeddings.weight", "embeddings.LayerNorm.bias",
        "encoder.layer.1.attention.self.key.weight", "encoder.layer.0.output.dense.bias"}) {
    MemoryWeights weights = small_bert();
    weights.erase(name);
    EXPECT_NE(message(weights).find(std::string("'") + name + "'"), std::string::npos) << message(weights);
    weights.set(name, {3, 1}, {1, 2, 3});
    EXPECT_NE(message(weights).find(std::string("'") + name + "' has the shape [3, 1]"), std::string::npos)
        << message(weights);
  }
}

TEST(Bert, RefusesConfigurationsThatDoNotFit) {
  const auto said = [](const char* key, const nlohmann::json& value) {
    nlohmann::json config = small_bert_config();
    config[key] = value;
    return message(small_bert(), config);
  };
  EXPECT_NE(said("num_attention_heads", 5)
                .find("'num_attention_heads' is 5, but a width of 32 cannot be shared among 5 heads"),
            std::string::npos);
  EXPECT_NE(said("hidden_act", "gelu_new").find("'gelu_new', expected gelu, quick_gelu or relu"),
            std::string::npos);
  EXPECT_NE(said("model_type", "t5").find("'t5', expected bert or roberta"), std::string::npos);
  EXPECT_NE(said("position_embedding_type", "relative_key").find("'relative_key', expected absolute"),
            std::string::npos);
  EXPECT_NE(said("num_hidden_layers", 1'000'000).find("expected a number from 1 to 1000"), std::string::npos);
  EXPECT_NE(said("layer_norm_eps", -1).find("'layer_norm_eps' is -1"), std::string::npos);
  EXPECT_NE(message(MemoryWeights()).find("expected the weights of a BERT or RoBERTa"), std::string::npos);
}

TEST(Bert, RefusesConfigurationsOfOtherWeights) {
  const auto expect = [](const char* key, std::size_t value, const std::string& what) {
    nlohmann::json config = small_bert_config();
    config[key] = value;
    const std::string found = message(small_bert("bert."), config);
    EXPECT_NE(found.find(fmt::format("the configuration's '{}' is {}, but {}", key, value, what)),
              std::string::npos)
        << found;
  };
  expect("hidden_size", 48, "tensor 'bert.embeddings.word_embeddings.weight' has the shape [60, 32]");
  expect("vocab_size", 61, "tensor 'bert.embeddings.word_embeddings.weight' has the shape [60, 32]");
  expect("max_position_embeddings", 10,
         "tensor 'bert.embeddings.position_embeddings.weight' has the shape [20, 32]");
  expect("type_vocab_size", 1, "tensor 'bert.embeddings.token_type_embeddings.weight' has the shape [2, 32]");
  expect("intermediate_size", 48,
         "tensor 'bert.encoder.layer.0.intermediate.dense.weight' has the shape [40, 32]");
  for (const std::size_t layers : {1u, 3u})
    expect("num_hidden_layers", layers,
           "the weights have 2 layers, the last of which is 'bert.encoder.layer.1'");
}

TEST(Bert, TakesConfigurationsThatSayTheSame) {
  nlohmann::json config = small_bert_config();
  config.update({{"vocab_size", 60}, {"max_position_embeddings", 20}, {"type_vocab_size", 2}});
  const TokenBatch batch = token_batch({{2, 17, 4, 3}});
  EXPECT_EQ(last_states(open(small_bert(), config), batch), last_states(open(small_bert()), batch));
}

TEST(Bert, RefusesWidthsThatItCannotCompute) {
  MemoryWeights weights;
  for (const std::string& name : small_bert().names()) weights.set(name, {24, 24}, std::vector<float>(576));
  nlohmann::json config = small_bert_config();
  config.update({{"hidden_size", 24}, {"intermediate_size", 24}});
  EXPECT_NE(message(weights, config).find("a width of 24, expected a multiple of 16"), std::string::npos)
      << message(weights, config);
}

TEST(Bert, WeightsOfEightBitsTakeWidthsOfTheirOwn) {
  MemoryWeights weights;
  for (const std::string& name : small_bert().names()) weights.set(name, {48, 48}, std::vector<float>(2304));
  nlohmann::json config = small_bert_config();
  config.update({{"hidden_size", 48}, {"intermediate_size", 48}});
  TempDir folder;
  const ModelFolder model(folder.write("model.safetensors", weights.bytes()), config);
  const std::string found = message_of<FileError>([&] { Bert(model, Precision::kInt8); });
  EXPECT_NE(found.find("a width of 48, expected a multiple of 32 for weights of 8 bits"), std::string::npos)
      << found;
}

TEST(Bert, APoolerIsNotInEveryModel) {
  MemoryWeights weights = small_bert();
  weights.erase("pooler.dense.weight");
  const Bert bert = open(weights);
  float out[32];
  EXPECT_FALSE(bert.has_pooler());
  EXPECT_NE(message_of<FileError>([&] {
              bert.pool(tensor::kernels(), token_batch({{2}}), out);
            }).find("'pooler.dense.weight'"),
            std::string::npos);
}

TEST(Bert, GoesToOtherDevicesWithoutWhatStandsBeforeNames) {
  MemoryWeights weights = small_bert("roberta.");
  weights.set("roberta.embeddings.position_ids", {2}, {0, 1});
  weights.set("lm_head.bias", {2}, {0, 1});
  const nlohmann::json config = small_bert_config("roberta");
  TempDir folder;
  const BertModel model =
      read_bert_model(ModelFolder(folder.write("model.safetensors", weights.bytes()), config));
  EXPECT_EQ(model.first_position, 2u);
  EXPECT_EQ(model.padding, 1);
  EXPECT_EQ(model.tower.heads, 4u);
  EXPECT_EQ(model.arrays.size(), small_bert().names().size());
  for (const tensor::NetworkArray& array : model.arrays)
    EXPECT_EQ(array.values, weights.values("roberta." + array.name)) << array.name;
}

}  // namespace
}  // namespace capella::encoder
