// Training of an adapter: what can be learnt, and the folder that the other engine reads.
#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/bert.h"
#include "encoder/device_model.h"
#include "encoder/model_folder.h"
#include "method/adapter_training/adapter_folder.h"
#include "method/adapter_training/trainer.h"
#include "reference/lora_reference.h"
#include "support/message_of.h"
#include "torch/tests/small_adapter_network.h"

extern "C" const capella::encoder::DeviceEncoders* capella_torch_encoders(int version);

namespace capella::test {
namespace {

using method::adapter_training::Precision;
using method::adapter_training::Reading;

TEST(AdapterTraining, GivesTheBasesVectorsAtFirst) {
  const Given given(12, 3, 9);
  ASSERT_GT(given.captions.ids.size(), 64u);  // so many that the plug-in's encoder takes lengths one by one
  for (const char* kind : {"bert", "roberta"}) {
    const Base base(kind);
    Recipe recipe = small_recipe();
    recipe.reading = Reading::first;
    encoder::DeviceSettings settings;
    settings.device = "cpu";
    settings.threads = 1;
    const auto bert = capella_torch_encoders(encoder::kDeviceVersion)->bert(base.model(), settings);
    std::vector<float> expected(given.captions.size() * bert->width());
    bert->first_tokens(given.captions, expected.data());
    EXPECT_EQ(texts_of(*make(recipe, 1, base), given.captions), expected);
    recipe.reading = Reading::mean;
    EXPECT_EQ(texts_of(*make(recipe, 1, base), given.captions),
              texts_of(*make(recipe, 2, base), given.captions));
  }
}

// Of the program's own engine.
std::vector<float> means_of(const std::string& folder, const TokenBatch& batch) {
  const encoder::Bert bert{encoder::ModelFolder(folder)};
  std::vector<float> means;
  bert.run(tensor::kernels(), batch, bert.layers(),
           [&](std::size_t layer, const float* rows, std::size_t stride) {
             if (layer < bert.layers()) return;
             for (std::size_t k = 0; k < batch.size(); ++k) {
               for (std::size_t i = 0; i < bert.width(); ++i) {
                 double sum = 0;
                 for (std::size_t t = batch.begin(k); t < batch.end(k); ++t) sum += rows[t * stride + i];
                 means.push_back(static_cast<float>(sum / static_cast<double>(batch.length(k))));
               }
             }
           });
  return means;
}

void expect_near(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5);
}

// A number of a file of halves, from the format's definition.
double half_value(unsigned bits) {
  const unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0 ? std::ldexp(fraction, -24)
                                    : std::ldexp(1024.0 + fraction, static_cast<int>(exponent) - 25);
  return bits & 0x8000 ? -size : size;
}

std::vector<float> halves(const tensor::Safetensors& file, const std::string& name) {
  const tensor::Tensor& array = file.tensor(name);
  EXPECT_EQ(array.type, tensor::Type::kF16);
  std::vector<float> values;
  for (std::size_t i = 0; i < array.bytes.size(); i += 2)
    values.push_back(static_cast<float>(half_value(std::to_integer<unsigned>(array.bytes[i]) |
                                                   std::to_integer<unsigned>(array.bytes[i + 1]) << 8)));
  return values;
}

// The base with the updates of the file added, one number at a time.
MemoryWeights merged(const Base& base, const std::string& path, const Recipe& recipe) {
  const tensor::Safetensors file(path);
  MemoryWeights all = base.weights;
  for (const auto& entry : file.tensors()) {
    const std::string root = entry.first.substr(0, entry.first.size() - std::string("lora_A.weight").size());
    if (!entry.first.ends_with("lora_A.weight")) continue;
    const std::string name = root.substr(method::adapter_training::kRoot.size()) + "weight";
    const reference::LowRankUpdate update = {recipe.rank, recipe.alpha / static_cast<double>(recipe.rank),
                                             halves(file, entry.first), halves(file, root + "lora_B.weight")};
    const std::vector<double> sums = reference::lora_reference(all.values(name), update);
    all.set(name, all.shape(name), {sums.begin(), sums.end()});
  }
  return all;
}

TEST(AdapterTraining, MakesAFolderThatGivesItsVectors) {
  const Base base;
  const Given given(8, 3, 5);
  const auto network = make(small_recipe(), 1, base);
  for (int step = 0; step < 20; ++step) network->step(given.captions, given.drawn);
  network->set_arrays(method::adapter_training::rounded(network->arrays(false), Precision::half));
  const std::vector<float> expected = texts_of(*network, given.captions);
  const TempDir folder;
  folder.write("adapter_config.json", method::adapter_training::config_text(
                                          network->recipe(), base.folder.path().string(), {{"seed", 1}}));
  const std::string path =
      folder.write("adapter_model.safetensors",
                   method::adapter_training::arrays_bytes(network->arrays(false), Precision::half));
  Base slow;
  slow.folder.write("model.safetensors", merged(base, path, network->recipe()).bytes());
  expect_near(means_of(slow.folder.path().string(), given.captions), expected);
  expect_near(means_of(folder.path().string(), given.captions), expected);
  double moved = 0;
  const std::vector<float> before = means_of(base.folder.path().string(), given.captions);
  for (std::size_t i = 0; i < before.size(); ++i)
    moved = std::max(moved, std::fabs(static_cast<double>(before[i] - expected[i])));
  EXPECT_GT(moved, .01);
}

// Captions of one image have a word in common, which those of no other have.
TEST(AdapterTraining, LearnsWhichCaptionsAreOfOneImage) {
  Recipe recipe = small_recipe();
  recipe.rate = 1e-2;
  recipe.most_gradient = 1;
  recipe.total_steps = 60;
  std::mt19937_64 random(3);
  const auto drawn_images = [&](TokenBatch& captions, Drawn& drawn) {
    for (std::uint32_t image = 0; image < 12; ++image) {
      drawn.images.push_back(image);
      for (int k = 0; k < 3; ++k) {
        drawn.captions.push_back(static_cast<std::uint32_t>(captions.size()));
        std::vector<std::int32_t> ids = {2};
        for (int w = 0; w < 4; ++w) ids.push_back(static_cast<std::int32_t>(30 + random() % 30));
        ids[1 + random() % 4] = static_cast<std::int32_t>(4 + image);
        ids.push_back(3);
        captions.add(ids);
      }
    }
  };
  Given fresh(0, 1, 0);
  drawn_images(fresh.captions, fresh.drawn);
  const auto network = make(recipe, 1);
  const double before = loss_by_hand(*network, fresh, {});
  for (std::size_t step = 0; step < recipe.total_steps; ++step) {
    Given batch(0, 1, 0);
    drawn_images(batch.captions, batch.drawn);
    network->step(batch.captions, batch.drawn);
  }
  EXPECT_LT(loss_by_hand(*network, fresh, {}), .7 * before);
}

TEST(AdapterTraining, GoesOnWithTheSameBits) {
  const Given first(6, 3, 3), second(6, 3, 4);
  Recipe recipe = small_recipe();
  recipe.total_steps = 9;
  recipe.most_gradient = 1;
  recipe.chunk = 30;
  const auto whole = make(recipe, 1), begun = make(recipe, 1), resumed = make(recipe, 7);
  for (Network* network : {whole.get(), begun.get()}) network->step(first.captions, first.drawn);
  const double loss = whole->step(second.captions, second.drawn);
  resumed->set_arrays(begun->arrays(true));
  EXPECT_EQ(resumed->step(second.captions, second.drawn), loss);
  const auto a = whole->arrays(true), b = resumed->arrays(true);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
}

TEST(AdapterTraining, NamesItsArraysAsPeftDoes) {
  const auto arrays = make(small_recipe(), 1)->arrays(false);
  EXPECT_EQ(arrays.size(), 2u * 2 * 6);
  const std::string layer = "base_model.model.encoder.layer.1.";
  EXPECT_EQ(named(arrays, layer + "attention.self.query.lora_A.weight").shape,
            (tensor::Shape{3, kSmallWidth}));
  EXPECT_EQ(named(arrays, layer + "intermediate.dense.lora_B.weight").shape, (tensor::Shape{40, 3}));
  EXPECT_EQ(named(arrays, layer + "output.dense.lora_A.weight").shape, (tensor::Shape{3, 40}));
  double squares = 0;
  std::size_t count = 0;
  for (const NetworkArray& array : arrays) {
    for (const float value : array.values) {
      if (!array.name.ends_with("lora_A.weight")) {
        EXPECT_EQ(value, 0);
        continue;
      }
      squares += static_cast<double>(value) * value * static_cast<double>(array.shape[1]);
      ++count;
    }
  }
  EXPECT_NEAR(squares / static_cast<double>(count), 1, .1);
}

TEST(AdapterTraining, RefusesWhatCannotBe) {
  Recipe recipe = small_recipe();
  recipe.rank = 0;
  EXPECT_EQ(message_of<UsageError>([&] { make(recipe, 1); }), "an adapter: --rank is 0, expected 1 to 4096");
  Given given(3, 3, 3);
  const auto network = make(small_recipe(), 1);
  given.drawn.captions[4] = 9;
  EXPECT_EQ(message_of<UsageError>([&] { network->step(given.captions, given.drawn); }),
            "there is no caption 9");
  given.drawn = {{0}, {0, 1, 2}};
  const auto few = message_of<UsageError>([&] { network->step(given.captions, given.drawn); });
  EXPECT_NE(few.find("a step has 1 images"), std::string::npos) << few;
  Given wrong(2, 3, 3);
  wrong.captions.ids[1] = 60;
  const auto token = message_of<UsageError>([&] { network->step(wrong.captions, wrong.drawn); });
  EXPECT_NE(token.find("found the token 60"), std::string::npos) << token;
  encoder::BertModel base = Base().model();
  std::erase_if(base.arrays, [](const NetworkArray& a) { return a.name.ends_with("key.weight"); });
  const auto* maker = capella_torch_adapter_training(method::adapter_training::kPluginVersion);
  const auto missing = message_of<DataError>([&] { maker->make(base, small_recipe(), "cpu", 1, 1); });
  EXPECT_NE(missing.find("key.weight' is missing"), std::string::npos) << missing;
  EXPECT_EQ(capella_torch_adapter_training(method::adapter_training::kPluginVersion + 1), nullptr);
}

}  // namespace
}  // namespace capella::test
