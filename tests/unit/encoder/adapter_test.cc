// Adapters in PEFT's layout: what is added to which matrix, and what is said about those that do not fit.
#include "encoder/adapter.h"

#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/clip.h"
#include "encoder/sentence_encoder.h"
#include "support/message_of.h"
#include "support/small_adapter.h"
#include "support/small_clip.h"
#include "support/small_sentence_encoder.h"

namespace capella::encoder {
namespace {

using test::adapter_config;
using test::MemoryWeights;
using test::message_of;
using test::TempDir;

using Floats = std::vector<float>;

// A base in "base" with a matrix "m.weight" of two rows and three columns, an adapter in "adapter".
class AdapterTest : public ::testing::Test {
 protected:
  AdapterTest() : config(adapter_config("../base", 1, 2)) {
    base.set("m.weight", {2, 3}, {1, 2, 3, 4, 5, 6});
    base.set("m.bias", {2}, {7, 8});
    set_update("base_model.model.m");
  }

  // B A is {{10, 20, 30}, {100, 200, 300}}, and twice that is added.
  void set_update(const std::string& root) {
    arrays.set(root + ".lora_A.weight", {1, 3}, {10, 20, 30});
    arrays.set(root + ".lora_B.weight", {2, 1}, {1, 10});
  }

  std::string path() const {
    folder.write("base/model.safetensors", base.bytes());
    folder.write("adapter/adapter_model.safetensors", arrays.bytes());
    folder.write("adapter/adapter_config.json", config.dump());
    return (folder.path() / "adapter").string();
  }
  Floats matrix(const char* name = "m.weight") const { return ModelFolder(path()).floats(name, {2, 3}); }
  std::string refusal() const {
    return message_of<FileError>([&] { ModelFolder opened(path()); });
  }
  void expect_refusal(std::string_view what) const {
    EXPECT_NE(refusal().find(what), std::string::npos) << refusal();
  }

  const Floats sum = {21, 42, 63, 204, 405, 606};
  TempDir folder;
  MemoryWeights base;
  MemoryWeights arrays;
  nlohmann::json config;
};

TEST_F(AdapterTest, TheScaledProductIsAdded) {
  EXPECT_EQ(matrix(), sum);
  const ModelFolder opened(path());
  EXPECT_EQ(opened.floats("m.bias", {2}), (Floats{7, 8}));
  EXPECT_EQ(opened.names(), (std::vector<std::string>{"m.bias", "m.weight"}));
  config["lora_alpha"] = 0.5;
  EXPECT_EQ(matrix(), (Floats{6, 12, 18, 54, 105, 156}));
}

TEST_F(AdapterTest, ByTheRootOfTheRankIfToldSo) {
  arrays.set("base_model.model.m.lora_A.weight", {4, 3}, Floats(12, 1));
  arrays.set("base_model.model.m.lora_B.weight", {2, 4}, Floats(8, 1));
  config["r"] = 4;
  EXPECT_EQ(matrix(), (Floats{3, 4, 5, 6, 7, 8}));  // 2 / 4 of 4
  config["use_rslora"] = true;
  EXPECT_EQ(matrix(), (Floats{5, 6, 7, 8, 9, 10}));  // 2 / 2 of 4
}

TEST_F(AdapterTest, ArraysMayBeHalfNumbers) {
  path();
  const std::uint16_t halves[] = {0x4900, 0x4D00, 0x4F80};  // 10, 20, 30
  const std::uint16_t brains[] = {0x3F80, 0x4120};          // 1, 10
  const auto bytes = [](const auto& bits) {
    return std::string(reinterpret_cast<const char*>(bits), sizeof bits);
  };
  const std::vector<tensor::NamedTensor> tensors = {
      {"base_model.model.m.lora_A.weight", tensor::Type::kF16, {1, 3}, bytes(halves)},
      {"base_model.model.m.lora_B.weight", tensor::Type::kBF16, {2, 1}, bytes(brains)}};
  folder.write("adapter/adapter_model.safetensors", tensor::safetensors_bytes(tensors, {}));
  EXPECT_EQ(ModelFolder((folder.path() / "adapter").string()).floats("m.weight", {2, 3}), sum);
}

TEST_F(AdapterTest, NamesMayHaveMoreOrLessInFrontThanTheBases) {
  base = {};
  base.set("bert.x.m.weight", {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(matrix("bert.x.m.weight"), sum);
  arrays = {};
  set_update("base_model.model.0.auto_model.bert.x.m");
  EXPECT_EQ(matrix("bert.x.m.weight"), sum);
  arrays = {};
  set_update("x.m");
  EXPECT_EQ(matrix("bert.x.m.weight"), sum);
}

TEST_F(AdapterTest, AWholeNameGoesBeforeParts) {
  base.set("x.m.weight", {2, 3}, Floats(6, 1));
  EXPECT_EQ(matrix(), sum);
  EXPECT_EQ(matrix("x.m.weight"), Floats(6, 1));
}

TEST_F(AdapterTest, NamesThatFitTwiceAreRefused) {
  base = {};
  base.set("text.m.weight", {2, 3}, Floats(6, 1));
  base.set("vision.m.weight", {2, 3}, Floats(6, 1));
  expect_refusal("changes 'm', which may be 'text.m.weight' or 'vision.m.weight' of ");
  arrays = {};
  set_update("a.text.m");
  set_update("b.text.m");
  expect_refusal("of the same matrix 'text.m.weight'");
  arrays = {};
  set_update("text.m");
  set_update("base_model.model.text.m");
  expect_refusal("of the same matrix");
}

TEST_F(AdapterTest, OurOwnArraysAreNoUpdates) {
  arrays.set("capella.head.weight", {3}, {1, 2, 3});
  config["capella"] = {{"format", 1}};
  EXPECT_EQ(matrix(), sum);
  arrays = {};
  arrays.set("capella.head.weight", {3}, {1, 2, 3});
  expect_refusal("has no updates");
}

TEST_F(AdapterTest, ArraysThatDoNotFitAreNamed) {
  arrays.set("base_model.model.m.lora_A.weight", {1, 4}, Floats(4, 1));
  expect_refusal(
      "array 'base_model.model.m.lora_A.weight' has the shape [1, 4], expected [1, 3]: the rank is 1");
  expect_refusal("'m.weight' of " + (folder.path() / "adapter/../base").string() + " has the shape [2, 3]");
  arrays.set("base_model.model.m.lora_A.weight", {1, 3}, Floats(3, 1));
  arrays.set("base_model.model.m.lora_B.weight", {3, 1}, Floats(3, 1));
  expect_refusal("lora_B.weight' has the shape [3, 1], expected [2, 1]");
  arrays.set("base_model.model.m.lora_B.weight", {2, 1, 1}, Floats(2, 1));
  expect_refusal("lora_B.weight' has the shape [2, 1, 1], expected [2, 1]");
  arrays.erase("base_model.model.m.lora_B.weight");
  expect_refusal("there is 'base_model.model.m.lora_A.weight' but no 'base_model.model.m.lora_B.weight'");
  arrays = {};
  set_update("base_model.model.m");
  config["r"] = 2;
  expect_refusal("has the shape [1, 3], expected [2, 3]: the rank is 2");
}

TEST_F(AdapterTest, WhatTheBaseDoesNotHaveIsNamed) {
  set_update("base_model.model.other");
  expect_refusal("changes 'other', which ");
  expect_refusal("does not have; is it an adapter of another model?");
  base.set("other.weight", {2, 3, 1}, Floats(6, 1));
  expect_refusal("'other.weight' of ");
  expect_refusal("has the shape [2, 3, 1], expected a matrix");
}

TEST_F(AdapterTest, OtherArithmeticIsRefused) {
  const nlohmann::json plain = config;
  const auto said = [&](const char* key, const nlohmann::json& value) {
    config = plain;
    config[key] = value;
    return refusal();
  };
  const std::pair<const char*, nlohmann::json> cases[] = {{"use_dora", true},
                                                          {"modules_to_save", {"classifier"}},
                                                          {"rank_pattern", {{"m", 4}}},
                                                          {"alpha_pattern", {{"m", 4}}},
                                                          {"fan_in_fan_out", true},
                                                          {"lora_bias", true},
                                                          {"layer_replication", {{0, 4}}},
                                                          {"alora_invocation_tokens", {1, 2}},
                                                          {"use_what_comes_next", 0.5}};
  for (const auto& [key, value] : cases)
    EXPECT_NE(
        said(key, value).find(std::string("adapter_config.json has '") + key + "', which is not done here"),
        std::string::npos)
        << said(key, value);
  EXPECT_NE(said("peft_type", "IA3").find("'peft_type' IA3, expected LORA"), std::string::npos);
  EXPECT_NE(said("bias", "all").find("'bias' all, expected none"), std::string::npos);
  EXPECT_NE(
      said("init_lora_weights", "pissa").find("'init_lora_weights' pissa, which may have changed the base"),
      std::string::npos);
  config = plain;
  for (const auto& [key, value] : cases) config[key] = nullptr;
  config["init_lora_weights"] = "gaussian";
  EXPECT_EQ(matrix(), sum);
}

TEST_F(AdapterTest, ArraysOfOtherKindsAreRefused) {
  arrays.set("base_model.model.m.lora_magnitude_vector", {2}, {1, 1});  // DoRA
  expect_refusal("has an array 'base_model.model.m.lora_magnitude_vector', expected those of plain LoRA");
}

TEST_F(AdapterTest, ConfigurationsThatAreNoneAreRefused) {
  for (const char* key : {"r", "lora_alpha", "peft_type", "base_model_name_or_path"}) {
    const nlohmann::json whole = config;
    config.erase(key);
    expect_refusal(std::string("'") + key + "'");
    config = whole;
  }
  config["r"] = 0;
  expect_refusal("'r' is 0, expected a number from 1");
  config["r"] = 1;
  config["lora_alpha"] = -1;
  expect_refusal("'lora_alpha' is -1");
  config = nlohmann::json::array();
  expect_refusal("adapter_config.json: not a JSON object");
}

TEST_F(AdapterTest, AFileThatIsMissingIsNamed) {
  path();
  const auto opened = [&] { ModelFolder model((folder.path() / "adapter").string()); };
  std::filesystem::remove(folder.path() / "adapter/adapter_model.safetensors");
  EXPECT_NE(
      message_of<FileError>(opened).find("adapter_model.safetensors: is not there, expected an adapter"),
      std::string::npos);
  folder.write("adapter/adapter_model.bin", "");
  EXPECT_NE(message_of<FileError>(opened).find("not adapter_model.bin"), std::string::npos);
  path();
  std::filesystem::remove(folder.path() / "adapter/adapter_config.json");
  EXPECT_NE(message_of<FileError>(opened).find("adapter_config.json: is not there"), std::string::npos);
}

TEST_F(AdapterTest, AFolderIsAModelOrAnAdapter) {
  folder.write("adapter/model.safetensors", base.bytes());
  expect_refusal("has both model.safetensors and an adapter");
}

TEST_F(AdapterTest, TheBaseIsFoundFromTheAdapterOnOrFromTheRoot) {
  config["base_model_name_or_path"] = (folder.path() / "base").string();
  EXPECT_EQ(matrix(), sum);
  EXPECT_EQ(ModelFolder(path()).path(), (folder.path() / "base").string());
  config["base_model_name_or_path"] = (folder.path() / "base/model.safetensors").string();
  EXPECT_EQ(matrix(), sum);
}

TEST_F(AdapterTest, ABaseThatIsMissingIsNamed) {
  config["base_model_name_or_path"] = "someone/some-model";
  expect_refusal("changes the model 'someone/some-model' ('base_model_name_or_path' of adapter_config.json)");
  expect_refusal("there is no folder " + (folder.path() / "adapter/someone/some-model").string());
  config["base_model_name_or_path"] = ".";
  expect_refusal("which is an adapter itself, expected a model");
  folder.write("empty/README.md", "");
  config["base_model_name_or_path"] = "../empty";
  expect_refusal("../empty: the folder has no weights");
}

TEST_F(AdapterTest, ABaseThatCapellaCouldGetIsNamedWithTheCommand) {
  const char* home = std::getenv("CAPELLA_HOME");
  const std::string old = home ? home : "";
  ::setenv("CAPELLA_HOME", folder.path().c_str(), 1);
  for (const char* name : {"minilm", "sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2"}) {
    config["base_model_name_or_path"] = name;
    expect_refusal(std::string("changes the model ") + name +
                   ": the data package minilm is not there; get it with");
  }
  home ? ::setenv("CAPELLA_HOME", old.c_str(), 1) : ::unsetenv("CAPELLA_HOME");
}

TEST_F(AdapterTest, ASumThatIsNoNumberIsRefused) {
  arrays.set("base_model.model.m.lora_A.weight", {1, 3}, {3e38f, 3e38f, 3e38f});
  const ModelFolder opened(path());
  EXPECT_NE(message_of<FileError>([&] {
              opened.floats("m.weight", {2, 3});
            }).find("not finite once "),
            std::string::npos);
}

TEST_F(AdapterTest, TheFingerprintIsThatOfBoth) {
  const auto fingerprint = [&] { return ModelFolder(path()).fingerprint(); };
  const std::string first = fingerprint();
  EXPECT_EQ(fingerprint(), first);
  EXPECT_NE(ModelFolder((folder.path() / "base").string()).fingerprint(), first);
  config["base_model_name_or_path"] = (folder.path() / "base").string();
  config["target_modules"] = {"dense", "query"};
  EXPECT_EQ(fingerprint(), first) << "only other ways to say the same";
  config["lora_alpha"] = 3;
  EXPECT_NE(fingerprint(), first);
  config["lora_alpha"] = 2;
  folder.write("adapter/tokenizer.json", "{}");
  EXPECT_EQ(fingerprint(), first) << "the base's is used";
  folder.write("base/tokenizer.json", "{}");
  const std::string with_tokenizer = fingerprint();
  EXPECT_NE(with_tokenizer, first);
  arrays.set("base_model.model.m.lora_B.weight", {2, 1}, {1, 11});
  EXPECT_NE(fingerprint(), with_tokenizer);
  EXPECT_TRUE(ModelFolder(path()).description().starts_with("adapter(")) << ModelFolder(path()).description();
}

// The base of another width, among models as they are.
TEST(Adapter, OfAnotherModelIsRefused) {
  const test::SmallSentenceEncoder base;
  MemoryWeights narrow;
  narrow.set("encoder.layer.0.attention.self.query.weight", {16, 16}, Floats(256, 0));
  const test::SmallAdapter adapter(base.path(), narrow, {"encoder.layer.0.attention.self.query"});
  const std::string message = message_of<FileError>([&] { SentenceEncoder opened(adapter.path()); });
  EXPECT_NE(message.find("query.lora_A.weight' has the shape [3, 16], expected [3, 32]"), std::string::npos)
      << message;
}

// What was published for the base does not hold for what an adapter made of it.
TEST(Adapter, IsNotCalledLikeItsBase) {
  const test::SmallSentenceEncoder base;
  nlohmann::json config = test::small_bert_config();
  config["_name_or_path"] = "roberta-large";
  base.folder().write("config.json", config.dump());
  const test::SmallAdapter adapter(base.path(), test::small_bert(), test::small_bert_modules());
  const SentenceEncoder plain(base.path()), changed(adapter.path());
  EXPECT_EQ(plain.names().front(), "roberta-large");
  EXPECT_EQ(changed.names(), std::vector<std::string>{adapter.folder.path().filename().string()});
}

TEST(Adapter, OfATowerAloneChangesThatTower) {
  const test::SmallClip base;
  const test::SmallAdapter adapter(base.path(), test::small_clip(),
                                   {"text_model.encoder.layers.1.self_attn.q_proj"});
  const ModelFolder plain(base.path()), changed(adapter.path());
  const auto differs = [&](const std::string& name) {
    return plain.floats(name, plain.shape(name)) != changed.floats(name, changed.shape(name));
  };
  for (const std::string& name : plain.names())
    EXPECT_EQ(differs(name), name == "text_model.encoder.layers.1.self_attn.q_proj.weight") << name;
}

TEST_F(AdapterTest, KnowsTheBaseThatItWasLearntOn) {
  path();
  const std::string fingerprint = ModelFolder((folder.path() / "base").string()).fingerprint();
  config["capella"] = {{"base_fingerprint", fingerprint}};
  EXPECT_EQ(matrix(), sum);
  base.set("m.bias", {2}, {7, 9});
  expect_refusal("was learnt on a model with the fingerprint " + fingerprint);
}

TEST(AdapterPooling, IsThatOfTheTraining) {
  const test::SmallSentenceEncoder small;
  test::SmallAdapter adapter(small.path(), test::small_bert("", 2), test::small_bert_modules());
  EXPECT_EQ(SentenceEncoder(adapter.path()).told_pooling(), Pooling::mean);
  const std::string before = ModelFolder(adapter.path()).fingerprint();
  adapter.config["capella"] = {{"recipe", {{"pooling", "first"}}}};
  adapter.write();
  EXPECT_EQ(SentenceEncoder(adapter.path()).told_pooling(), Pooling::first);
  EXPECT_NE(ModelFolder(adapter.path()).fingerprint(), before);
  adapter.config["capella"] = {{"recipe", {{"pooling", "sum"}}}};
  adapter.write();
  EXPECT_NE(message_of<FileError>([&] { SentenceEncoder{adapter.path()}; }).find("'sum'"), std::string::npos);
}

}  // namespace
}  // namespace capella::encoder
