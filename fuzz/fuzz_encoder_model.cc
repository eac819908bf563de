// Encoders' folders with a damaged configuration or damaged weights: a FileError, or a model that computes
// something, whatever the numbers are.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "encoder/bert.h"
#include "encoder/classifier.h"
#include "encoder/clip.h"
#include "fuzz/damaged_sample.h"
#include "support/small_encoders.h"
#include "support/temp_dir.h"

namespace {

using capella::encoder::ModelFolder;
using capella::tensor::kernels;

constexpr std::size_t kMostPixels = 64;  // on a side

const capella::test::TempDir& folder() {
  static const capella::test::TempDir one;
  return one;
}

std::string classifier_weights() {
  capella::test::MemoryWeights weights = capella::test::small_bert("bert.");
  std::mt19937_64 random(1);
  weights.fill_linear("classifier", 3, capella::test::kSmallWidth, random);
  return weights.bytes();
}

std::string damaged_weights(bool clip, FuzzedDataProvider& input) {
  static const std::string whole[] = {classifier_weights(), capella::test::small_clip().bytes()};
  std::string bytes = whole[clip ? 1 : 0];
  for (std::size_t changes = input.ConsumeIntegralInRange<std::size_t>(0, 8); changes > 0; --changes) {
    // Most of the file is numbers; names and shapes stand before them.
    const std::size_t most = input.ConsumeBool() ? bytes.size() - 1 : 6000;
    bytes[input.ConsumeIntegralInRange<std::size_t>(0, most)] = input.ConsumeIntegral<char>();
  }
  return bytes;
}

nlohmann::json labelled_config() {
  nlohmann::json config = capella::test::small_bert_config();
  config["id2label"] = {{"0", "contradiction"}, {"1", "neutral"}, {"2", "entailment"}};
  return config;
}

std::string damaged_config(bool clip, FuzzedDataProvider& input) {
  static const std::string whole[] = {labelled_config().dump(), capella::test::small_clip_config().dump()};
  return capella::fuzz::damaged(whole[clip ? 1 : 0], input);
}

void run_classifier(const ModelFolder& model) {
  const capella::encoder::Classifier classifier(model);
  capella::encoder::TokenBatch batch;
  classifier.add_pair(std::vector<std::int32_t>{2, 3}, std::vector<std::int32_t>{2, 4, 3}, batch);
  std::vector<float> logits(batch.size() * classifier.labels().size());
  classifier.logits(kernels(), batch, logits.data());
}

void run_clip(const ModelFolder& model) {
  const capella::encoder::Clip clip(model);
  std::vector<float> vector(clip.width());
  clip.texts(kernels(), capella::test::token_batch({{3, 4, clip.end_token()}}), vector.data());
  if (clip.image_size() > kMostPixels) return;
  const std::vector<float> pixels(3 * clip.image_size() * clip.image_size(), 0.5f);
  clip.images(kernels(), pixels.data(), 1, vector.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const bool clip = input.ConsumeBool();
  folder().write("model.safetensors", damaged_weights(clip, input));
  folder().write("config.json", damaged_config(clip, input));
  try {
    const ModelFolder model(folder().path().string());
    clip ? run_clip(model) : run_classifier(model);
  } catch (const capella::FileError&) {
  } catch (const capella::UsageError&) {  // tokens that the model does not know
  }
  return 0;
}
