// What lies beside an encoder's weights: how sentences are pooled, how pictures are prepared, which file has
// which tensor; and adapters, which change weights. Any damage to one of these files gives a FileError or an
// encoder that works.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "encoder/image_input.h"
#include "encoder/sentence_encoder.h"
#include "fuzz/damaged_sample.h"
#include "support/small_adapter.h"
#include "support/small_encoders.h"
#include "support/small_vocabularies.h"
#include "support/temp_dir.h"

namespace {

using capella::encoder::ModelFolder;
using capella::test::TempDir;

struct File {
  const char* name;
  std::string content;
};

// Of sentence-transformers.
const std::array<File, 4> kOfSentences = {
    File{"modules.json", R"([{"type": "sentence_transformers.models.Transformer", "path": ""},
      {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
      {"type": "sentence_transformers.models.Normalize", "path": "2_Normalize"}])"},
    File{"1_Pooling/config.json", R"({"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false})"},
    File{"sentence_bert_config.json", R"({"max_seq_length": 12, "do_lower_case": true})"},
    File{"tokenizer_config.json", R"({"do_lower_case": true, "strip_accents": null})"}};

const std::array<File, 2> kOfPictures = {
    File{"preprocessor_config.json",
         R"({"image_mean": [0.5, 0.5, 0.4], "image_std": [0.2, 0.3, 0.2], "size": {"shortest_edge": 12},
      "crop_size": {"height": 12, "width": 12}, "resample": 3})"},
    File{
        "open_clip_config.json",
        R"({"model_cfg": {"embed_dim": 10}, "preprocess_cfg": {"mean": [0.5, 0.5, 0.5], "std": [1, 1, 1]}})"}};

const std::string kIndex =
    R"({"metadata": {"total_size": 9}, "weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}})";

std::string weights(const std::string& name) {
  capella::test::MemoryWeights made;
  made.set(name, {2}, {1.0f, 2.0f});
  return made.bytes();
}

const TempDir& sentence_folder() {
  static const TempDir folder;
  static const bool written = [] {
    folder.write("model.safetensors", capella::test::small_bert().bytes());
    folder.write("config.json", capella::test::small_bert_config().dump());
    folder.write("vocab.txt", capella::test::word_lines({"a", "dog"}));
    return true;
  }();
  static_cast<void>(written);
  return folder;
}

void read_sentences(FuzzedDataProvider& input) {
  const TempDir& folder = sentence_folder();
  const auto chosen = input.ConsumeIntegralInRange<std::size_t>(0, kOfSentences.size() - 1);
  for (const File& file : kOfSentences) folder.write(file.name, file.content);
  folder.write(kOfSentences[chosen].name, capella::fuzz::damaged(kOfSentences[chosen].content, input));
  const capella::encoder::SentenceEncoder encoder(folder.path().string());
  const std::vector<std::string_view> texts = {"a dog", ""};
  if (encoder.sentences(texts, capella::encoder::Pooling::as_told).size() != texts.size()) __builtin_trap();
}

void read_pictures(FuzzedDataProvider& input) {
  static const TempDir folder;
  const File& chosen = kOfPictures[input.ConsumeBool() ? 1 : 0];
  for (const File& file : kOfPictures) std::filesystem::remove(folder.path() / file.name);
  folder.write("model.safetensors", weights("a"));
  folder.write("config.json", "{}");
  folder.write(chosen.name, capella::fuzz::damaged(chosen.content, input));
  const auto read = capella::encoder::ImageInput::from(ModelFolder(folder.path().string()), 12);
  for (const float deviation : read.deviation) {
    if (!(deviation > 0)) __builtin_trap();
  }
}

void read_index(FuzzedDataProvider& input) {
  static const TempDir folder;
  folder.write("model-1.safetensors", weights("a"));
  folder.write("model-2.safetensors", weights("b"));
  folder.write("model.safetensors.index.json", capella::fuzz::damaged(kIndex, input));
  const ModelFolder model(folder.path().string());
  for (const std::string& name : model.names()) model.floats(name, {2});
}

// An adapter on the encoder of sentences, its configuration or its arrays damaged.
void read_adapter(FuzzedDataProvider& input) {
  static const capella::test::SmallAdapter adapter(
      sentence_folder().path().string(), capella::test::small_bert(), capella::test::small_bert_modules());
  adapter.write();
  if (input.ConsumeBool()) {
    adapter.folder.write("adapter_config.json", capella::fuzz::damaged(adapter.config.dump(), input));
  } else {
    std::string bytes = adapter.arrays.bytes();
    for (std::size_t changes = input.ConsumeIntegralInRange<std::size_t>(1, 8); changes > 0; --changes) {
      // Most of the file is numbers; names and shapes stand before them.
      const std::size_t most = input.ConsumeBool() ? bytes.size() - 1 : 4000;
      bytes[input.ConsumeIntegralInRange<std::size_t>(0, most)] = input.ConsumeIntegral<char>();
    }
    adapter.folder.write("adapter_model.safetensors", bytes);
  }
  const ModelFolder model(adapter.path());
  for (const std::string& name : model.names()) model.floats(name, model.shape(name));
  if (model.fingerprint().size() != 16) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  void (*const kinds[])(FuzzedDataProvider&) = {read_sentences, read_pictures, read_index, read_adapter};
  try {
    input.PickValueInArray(kinds)(input);
  } catch (const capella::FileError&) {
  }
  return 0;
}
