// The two engines check each other: what the plug-in gives and what the encoders and heads of the program
// give for the same folder, the same network.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "encoder/bert.h"
#include "encoder/clip.h"
#include "encoder/device_model.h"
#include "method/deneb/scorer.h"
#include "small_deneb.h"
#include "support/shared.h"
#include "support/small_adapter.h"
#include "support/small_encoders.h"
#include "support/temp_dir.h"

extern "C" const capella::encoder::DeviceEncoders* capella_torch_encoders(int version);

namespace capella::test {
namespace {

using encoder::DeviceSettings;
using encoder::ModelFolder;
using encoder::TokenBatch;

const encoder::DeviceEncoders& plugin() {
  return *capella_torch_encoders(encoder::kDeviceVersion);
}

DeviceSettings small_parts() {
  DeviceSettings settings;
  settings.device = "cpu";
  settings.threads = 1;
  settings.tokens_together = 50;
  return settings;
}

// Sequences of 1 to `most` tokens below `end`, which is the last of each.
TokenBatch random_tokens(std::size_t count, std::size_t most, std::int32_t end) {
  std::mt19937 random(3);
  TokenBatch batch;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::int32_t> ids;
    for (std::size_t t = random() % most; t > 0; --t)
      ids.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(end)));
    ids.push_back(end);
    batch.add(ids);
  }
  return batch;
}

void expect_near(std::span<const float> a, std::span<const float> b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  double worst = 0, spread = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::fabs(static_cast<double>(a[i]) - b[i]));
    spread = std::max(spread, std::fabs(static_cast<double>(a[i])));
  }
  EXPECT_LT(worst, tolerance);
  EXPECT_GT(spread, .1);
}

void expect_same_bert(const ModelFolder& folder) {
  const encoder::Bert here(folder);
  const auto there = plugin().bert(encoder::read_bert_model(folder), small_parts());
  ASSERT_EQ(there->layers(), here.layers());
  ASSERT_EQ(there->width(), here.width());
  const TokenBatch batch = random_tokens(20, 12, 59);
  const std::size_t size = batch.ids.size() * here.width();
  std::vector<std::size_t> layers(here.layers() + 1);
  std::iota(layers.begin(), layers.end(), std::size_t{0});
  std::vector<float> found(layers.size() * size);
  there->hidden(batch, layers, found.data());
  here.run(tensor::kernels(), batch, here.layers(),
           [&](std::size_t layer, const float* rows, std::size_t stride) {
             std::vector<float> packed;
             for (std::size_t t = 0; t < batch.ids.size(); ++t)
               packed.insert(packed.end(), rows + t * stride, rows + t * stride + here.width());
             expect_near(std::span(found).subspan(layer * size, size), packed, 1e-5);
           });
  std::vector<float> first(batch.size() * here.width()), pooled(first), other(first);
  there->first_tokens(batch, first.data());
  here.first_tokens(tensor::kernels(), batch, other.data());
  expect_near(first, other, 1e-5);
  there->pool(batch, pooled.data());
  here.pool(tensor::kernels(), batch, other.data());
  expect_near(pooled, other, 1e-5);
}

TEST(Engines, AgreeOnBertAndRoberta) {
  TempDir folder;
  const std::string bert = folder.write("bert.safetensors", small_bert().bytes());
  expect_same_bert(ModelFolder(bert, small_bert_config()));
  const std::string roberta = folder.write("roberta.safetensors", small_bert("roberta.").bytes());
  expect_same_bert(ModelFolder(roberta, small_bert_config("roberta")));
}

// The plug-in is handed what the adapter makes of its base's weights.
TEST(Engines, AgreeOnBertWithAnAdapter) {
  TempDir base;
  base.write("model.safetensors", small_bert("bert.").bytes());
  base.write("config.json", small_bert_config().dump());
  const SmallAdapter adapter(base.path().string(), small_bert(), small_bert_modules());
  const ModelFolder changed(adapter.path());
  expect_same_bert(changed);
  const auto arrays = [](const ModelFolder& folder) { return encoder::read_bert_model(folder).arrays; };
  const auto before = arrays(ModelFolder(base.path().string())), after = arrays(changed);
  ASSERT_EQ(before.size(), after.size());
  const auto modules = small_bert_modules();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto is_it = [&](const std::string& module) { return after[i].name == module + ".weight"; };
    EXPECT_EQ(after[i].values != before[i].values, std::ranges::any_of(modules, is_it)) << after[i].name;
  }
}

void expect_same_clip(const ModelFolder& folder, std::int32_t end) {
  const encoder::Clip here(folder);
  const auto there = plugin().clip(encoder::read_clip_model(folder), small_parts());
  ASSERT_EQ(there->width(), here.width());
  ASSERT_EQ(there->image_size(), here.image_size());
  const TokenBatch batch = random_tokens(20, 12, end);
  std::vector<float> found(batch.size() * here.width()), expected(found);
  there->texts(batch, found.data());
  here.texts(tensor::kernels(), batch, expected.data());
  expect_near(found, expected, 1e-5);
  constexpr std::size_t kCount = 3;
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> pixels(kCount * 3 * here.image_size() * here.image_size());
  for (float& value : pixels) value = normal(random);
  found.resize(kCount * here.width());
  expected.resize(found.size());
  there->images(pixels.data(), kCount, found.data());
  here.images(tensor::kernels(), pixels.data(), kCount, expected.data());
  expect_near(found, expected, 1e-5);
}

TEST(Engines, AgreeOnClipWithEitherGelu) {
  for (const char* activation : {"quick_gelu", "gelu"}) {
    TempDir folder;
    nlohmann::json config = small_clip_config();
    config["text_config"]["hidden_act"] = config["vision_config"]["hidden_act"] = activation;
    expect_same_clip(ModelFolder(folder.write("model.safetensors", small_clip().bytes()), config), 59);
  }
}

TEST(Engines, AgreeOnClipWithAnAdapter) {
  TempDir base;
  base.write("model.safetensors", small_clip().bytes());
  base.write("config.json", small_clip_config().dump());
  const SmallAdapter adapter(base.path().string(), small_clip(), small_clip_modules());
  expect_same_clip(ModelFolder(adapter.path()), 59);
}

TEST(Engines, AgreeOnTheReferencePrograms) {
  for (const std::string name : {"roberta_tiny", "bert_tiny", "clip_tiny"}) {
    CAPELLA_NEED_SHARED(weights, "golden/neural/" + name + ".safetensors");
    CAPELLA_NEED_SHARED(config, "golden/neural/" + name + ".config.json");
    const ModelFolder folder(weights.string(), nlohmann::json::parse(read_file(config.string())));
    if (name == "clip_tiny") {
      expect_same_clip(folder, 49407);
    } else {
      expect_same_bert(folder);
    }
  }
}

TEST(Engines, AgreeOnLearnedMetrics) {
  ThreadPool pool(1);
  for (auto [name, recipe] : all_variants()) {
    recipe.width = 16;
    const auto network = random_network(recipe, 5);
    const SmallFeatures given(recipe, 6, 15, 3);
    const deneb::Samples samples = random_samples(12, 6, 15, 4, 8);
    deneb::PredictOptions options;
    options.batch = samples.size();
    deneb::Model model;
    model.recipe = recipe;
    model.arrays = network->arrays(false);
    const auto found = network->predict(*network->load(given.features), samples, options, {});
    const auto expected = deneb::Scorer(model, "model").scores(given.features, samples, options, pool, {});
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-5) << name;
  }
}

}  // namespace
}  // namespace capella::test
