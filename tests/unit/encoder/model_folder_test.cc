// Folders of models: what they may hold, and what is said about what they do not.
#include "encoder/model_folder.h"

#include <limits>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "support/memory_weights.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

using test::MemoryWeights;
using test::message_of;
using test::TempDir;

std::string one_tensor(const std::string& name, float value) {
  MemoryWeights weights;
  weights.set(name, {2}, {value, value});
  return weights.bytes({{"heads", "4"}});
}

std::string folder_message(const TempDir& folder) {
  return message_of<FileError>([&] { ModelFolder opened(folder.path().string()); });
}

TEST(ModelFolder, ReadsConfigurationAndWeights) {
  TempDir folder;
  folder.write("config.json",
               R"({"hidden_size": 32, "inner": {"size": 5}, "act": "gelu", "none": null, "eps": 1e-5})");
  folder.write("model.safetensors", one_tensor("a.b", 1.5f));
  const ModelFolder model(folder.path().string());
  EXPECT_EQ(model.number("hidden_size"), 32u);
  EXPECT_EQ(model.number("inner.size"), 5u);
  EXPECT_EQ(model.number("none", 7), 7u);
  EXPECT_EQ(model.number("hidden_size.deeper", 8), 8u);
  EXPECT_EQ(model.real("eps", 1, 1), 1e-5);
  EXPECT_EQ(model.text("act"), "gelu");
  EXPECT_EQ(model.text("nothing"), std::nullopt);
  EXPECT_EQ(model.metadata("heads"), "4");
  EXPECT_TRUE(model.has("a.b"));
  EXPECT_FALSE(model.has("a"));
  EXPECT_EQ(model.floats("a.b", {2}), (std::vector<float>{1.5f, 1.5f}));
  EXPECT_EQ(model.names(), std::vector<std::string>{"a.b"});
  EXPECT_EQ(model.file("config.json"), (folder.path() / "config.json").string());
  EXPECT_EQ(model.file("vocab.txt"), std::nullopt);
}

TEST(ModelFolder, FindsTheShortestPrefix) {
  TempDir folder;
  MemoryWeights weights;
  for (const char* name : {"x.y.conv.weight", "model.conv.weight", "deconv.weight"})
    weights.set(name, {1}, {0});
  const ModelFolder model(folder.write("all.safetensors", weights.bytes()), nlohmann::json::object());
  EXPECT_EQ(model.prefix_of("conv.weight"), "x.y.");
  EXPECT_EQ(model.prefix_of("deconv.weight"), "");
  EXPECT_EQ(model.prefix_of("other"), std::nullopt);
}

TEST(ModelFolder, ReadsShards) {
  TempDir folder;
  folder.write("config.json", "{}");
  folder.write("model.safetensors.index.json",
               R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  folder.write("one.safetensors", one_tensor("a", 1));
  folder.write("two.safetensors", one_tensor("b", 2));
  const ModelFolder model(folder.path().string());
  EXPECT_EQ(model.floats("b", {2}), (std::vector<float>{2, 2}));
  EXPECT_EQ(model.names(), (std::vector<std::string>{"a", "b"}));
}

TEST(ModelFolder, ShardsLieInTheFolder) {
  TempDir folder;
  folder.write("model.safetensors.index.json", R"({"weight_map": {"a": "../other.safetensors"}})");
  EXPECT_NE(folder_message(folder).find("'weight_map' has '../other.safetensors'"), std::string::npos);
  folder.write("model.safetensors.index.json", R"({"weight_map": {"a": 3}})");
  EXPECT_NE(folder_message(folder).find("'weight_map' has 3"), std::string::npos);
  folder.write("model.safetensors.index.json", "[]");
  EXPECT_NE(folder_message(folder).find("not a JSON object"), std::string::npos);
}

TEST(ModelFolder, OpenClipHasItsOwnConfiguration) {
  TempDir folder;
  folder.write("config.json", R"({"from": "the other"})");
  folder.write("open_clip_config.json", R"({"from": "open_clip"})");
  folder.write("open_clip_model.safetensors", one_tensor("a", 1));
  EXPECT_EQ(ModelFolder(folder.path().string()).text("from"), "open_clip");
  folder.write("model.safetensors", one_tensor("a", 1));
  EXPECT_EQ(ModelFolder(folder.path().string()).text("from"), "the other");
}

TEST(ModelFolder, AFileOfWeightsMayStandForItsFolder) {
  TempDir folder;
  folder.write("config.json", R"({"size": 3})");
  const ModelFolder model(folder.write("weights.safetensors", one_tensor("a", 1)));
  EXPECT_EQ(model.number("size"), 3u);
  EXPECT_TRUE(model.has("a"));
}

TEST(ModelFolder, SaysWhatIsMissing) {
  EXPECT_NE(message_of<FileError>([] {
              ModelFolder model("no-such-folder");
            }).find("no-such-folder: no such folder"),
            std::string::npos);
  TempDir folder;
  EXPECT_NE(folder_message(folder).find("no weights, expected model.safetensors"), std::string::npos);
  folder.write("training_args.bin", "");
  folder.write("pytorch_model.bin", "");
  const std::string message = folder_message(folder);
  EXPECT_NE(message.find("there is pytorch_model.bin; convert it once: python3 -c"), std::string::npos)
      << message;
}

TEST(ModelFolder, RefusesConfigurationsThatAreNone) {
  TempDir folder;
  folder.write("model.safetensors", one_tensor("a", 1));
  folder.write("config.json", "{\"size\": 3");
  EXPECT_NE(folder_message(folder).find("config.json: not a JSON object"), std::string::npos);
  folder.write("config.json", std::string(100'000, '[') + std::string(100'000, ']'));
  EXPECT_NE(folder_message(folder).find("nested"), std::string::npos);
}

TEST(ModelFolder, NumbersHaveLimits) {
  TempDir folder;
  folder.write("model.safetensors", one_tensor("a", 1));
  folder.write(
      "config.json",
      R"({"zero": 0, "minus": -3, "huge": 99999999999999999999, "large": 2000000, "half": 0.5, "text": "3"})");
  const ModelFolder model(folder.path().string());
  for (const char* key : {"zero", "minus", "huge", "large", "half", "text", "nothing"}) {
    const std::string message = message_of<FileError>([&] { model.number(key); });
    EXPECT_NE(message.find(std::string("'") + key + "'"), std::string::npos) << message;
    EXPECT_NE(message.find("expected a number from 1 to 1048576"), std::string::npos) << message;
  }
  EXPECT_EQ(model.number("large", {}, 2'000'000), 2'000'000u);
  EXPECT_NE(message_of<FileError>([&] { model.real("zero", 1, 1); }).find("'zero' is 0"), std::string::npos);
  EXPECT_NE(message_of<FileError>([&] { model.text("half"); }).find("'half' is 0.5, expected a text"),
            std::string::npos);
}

TEST(ModelFolder, NamesTheTensorThatIsWrong) {
  TempDir folder;
  MemoryWeights weights;
  weights.set("good", {2, 2}, {1, 2, 3, 4});
  weights.set("bad", {2}, {1, std::numeric_limits<float>::infinity()});
  const ModelFolder model(folder.write("w.safetensors", weights.bytes()), nlohmann::json::object());
  EXPECT_NE(message_of<FileError>([&] {
              model.floats("good", {4});
            }).find("w.safetensors: tensor 'good' has the shape [2, 2], expected [4]"),
            std::string::npos);
  EXPECT_NE(
      message_of<FileError>([&] { model.floats("bad", {2}); }).find("'bad' has a number that is not finite"),
      std::string::npos);
  EXPECT_NE(message_of<FileError>([&] { model.floats("none", {2}); }).find("there is no tensor 'none'"),
            std::string::npos);
  EXPECT_NE(message_of<FileError>([&] { model.matrix_shape("bad"); }).find("expected a matrix"),
            std::string::npos);
}

TEST(ModelFolder, ReadsHalfNumbers) {
  // Bits of IEEE half precision and of bfloat16 for the same values, but for what each cannot hold.
  const std::uint16_t halves[] = {0x3C00, 0xC000, 0x0001, 0x7BFF, 0x8000, 0x3555};
  const std::uint16_t brains[] = {0x3F80, 0xC000, 0x0080, 0x4780, 0x8000, 0x3EAB};
  const auto bytes = [](const std::uint16_t(&bits)[6]) {
    return std::string(reinterpret_cast<const char*>(bits), sizeof bits);
  };
  const std::vector<tensor::NamedTensor> tensors = {{"f16", tensor::Type::kF16, {6}, bytes(halves)},
                                                    {"bf16", tensor::Type::kBF16, {6}, bytes(brains)},
                                                    {"i8", tensor::Type::kI8, {1}, "x"},
                                                    {"f64", tensor::Type::kF64, {1}, "12345678"}};
  TempDir folder;
  const ModelFolder model(folder.write("w.safetensors", tensor::safetensors_bytes(tensors, {})),
                          nlohmann::json::object());
  EXPECT_EQ(model.floats("f16", {6}), (std::vector<float>{1, -2, 0x1p-24f, 65504, -0.0f, 0x1.554p-2f}));
  EXPECT_EQ(model.floats("bf16", {6}), (std::vector<float>{1, -2, 0x1p-126f, 65536, -0.0f, 0x1.56p-2f}));
  EXPECT_NE(
      message_of<FileError>([&] { model.floats("i8", {1}); }).find("'i8' has the type I8, expected F32"),
      std::string::npos);
  EXPECT_NE(
      message_of<FileError>([&] { model.floats("f64", {1}); }).find("'f64' has the type F64, expected F32"),
      std::string::npos);
}

TEST(ModelFolder, AFingerprintGoesByContent) {
  TempDir one, same, other_weights, other_config;
  for (const TempDir* folder : {&one, &same, &other_weights, &other_config}) {
    folder->write("config.json", folder == &other_config ? R"({"a": 2})" : R"({"a": 1})");
    folder->write("model.safetensors", one_tensor("a", folder == &other_weights ? 2.0f : 1.0f));
  }
  const auto fingerprint = [](const TempDir& folder) {
    return ModelFolder(folder.path().string()).fingerprint();
  };
  EXPECT_EQ(fingerprint(one).size(), 16u);
  EXPECT_EQ(fingerprint(one), fingerprint(same));
  EXPECT_NE(fingerprint(one), fingerprint(other_weights));
  EXPECT_NE(fingerprint(one), fingerprint(other_config));
}

TEST(ModelFolder, AFingerprintGoesByEveryByteOfTheWeights) {
  MemoryWeights tensors;
  tensors.set("a", {1 << 20}, std::vector<float>(1 << 20));
  const std::string weights = tensors.bytes();
  const TempDir folder;
  std::set<std::string> seen;
  for (const std::size_t changed : {std::size_t(100'000), weights.size() / 2 + 8192, weights.size() - 1}) {
    std::string bytes = weights;
    bytes[changed] ^= 1;
    folder.write("model.safetensors", bytes);
    seen.insert(ModelFolder(folder.path().string()).fingerprint());
  }
  EXPECT_EQ(seen.size(), 3u);
}

TEST(ModelFolder, AFingerprintGoesByAllThatVectorsDependOn) {
  const TempDir folder;
  folder.write("model.safetensors", one_tensor("a", 1));
  folder.write("modules.json", R"([{"type": "st.models.Pooling", "path": "9_Pool"}, {"path": "8_Other"}])");
  const auto fingerprint = [&] { return ModelFolder(folder.path().string()).fingerprint(); };
  std::set<std::string> seen = {fingerprint()};
  const std::vector<std::string> files = {"tokenizer.json",
                                          "tokenizer_config.json",
                                          "vocab.txt",
                                          "vocab.json",
                                          "merges.txt",
                                          "bpe_simple_vocab_16e6.txt.gz",
                                          "preprocessor_config.json",
                                          "sentence_bert_config.json",
                                          "9_Pool/config.json",
                                          "config.json",
                                          "open_clip_config.json"};
  for (const std::string& file : files) {
    folder.write(file, R"({"a": 1})");
    EXPECT_TRUE(seen.insert(fingerprint()).second) << file << " added";
    folder.write(file, R"({"a": 2})");
    EXPECT_TRUE(seen.insert(fingerprint()).second) << file << " changed";
  }
  for (const char* file : {"README.md", "8_Other/config.json", "1_Pooling/config.json"}) {
    folder.write(file, "{}");
    EXPECT_TRUE(seen.contains(fingerprint())) << file;
  }
  folder.write("modules.json", "no JSON");
  EXPECT_TRUE(seen.insert(fingerprint()).second);
}

TEST(ModelFolder, AFingerprintDoesNotGoByPlace) {
  const TempDir one, other;
  for (const TempDir* folder : {&one, &other}) {
    folder->write("model.safetensors", one_tensor("a", 1));
    folder->write("vocab.txt", "[PAD]\n");
  }
  const ModelFolder here(one.path().string()), there(other.path().string());
  EXPECT_EQ(here.fingerprint(), there.fingerprint());
  EXPECT_TRUE(here.description().ends_with("(" + here.fingerprint().substr(0, 8) + ")"))
      << here.description();
}

}  // namespace
}  // namespace capella::encoder
