// The plug-in's encoders against the reference programs, on the CPU: what they compute does not depend on the
// device but for rounding.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/device_encoder.h"
#include "support/message_of.h"
#include "support/shared.h"
#include "tensor/safetensors.h"

extern "C" const capella::encoder::DeviceEncoders* capella_torch_encoders(int version);

namespace capella::test {
namespace {

using encoder::BertModel;
using encoder::ClipModel;
using encoder::DeviceSettings;
using encoder::TokenBatch;
using tensor::After;
using tensor::Safetensors;

const encoder::DeviceEncoders& encoders() {
  return *capella_torch_encoders(encoder::kDeviceVersion);
}

DeviceSettings on_cpu(std::size_t tokens_together = 0) {
  DeviceSettings settings;
  settings.device = "cpu";
  settings.threads = 1;
  settings.tokens_together = tokens_together;
  return settings;
}

std::vector<tensor::NetworkArray> arrays_of(const Safetensors& file) {
  std::vector<tensor::NetworkArray> arrays;
  for (const auto& [name, found] : file.tensors()) {
    const auto numbers = file.values<float>(name, found.shape);
    arrays.push_back({name, found.shape, {numbers.begin(), numbers.end()}});
  }
  return arrays;
}

// The sequences of padded ids, without the padding.
TokenBatch tokens_of(const Safetensors& io) {
  const auto& shape = io.tensor("in.input_ids").shape;
  const auto ids = io.values<std::int64_t>("in.input_ids", shape);
  const auto mask = io.values<std::int64_t>("in.attention_mask", shape);
  TokenBatch batch;
  for (std::size_t k = 0; k < shape[0]; ++k) {
    std::vector<std::int32_t> sequence;
    for (std::size_t t = 0; t < shape[1]; ++t) {
      if (mask[k * shape[1] + t] != 0) sequence.push_back(static_cast<std::int32_t>(ids[k * shape[1] + t]));
    }
    batch.add(sequence);
  }
  return batch;
}

BertModel tiny_bert(const Safetensors& weights, bool roberta) {
  BertModel model;
  model.tower = {4, After::kGelu, roberta ? 1e-5f : 1e-12f};
  if (roberta) {
    model.first_position = 2;
    model.padding = 1;
  }
  model.arrays = arrays_of(weights);
  return model;
}

ClipModel tiny_clip(const Safetensors& weights) {
  ClipModel model;
  model.text = {2, After::kQuickGelu, 1e-5f};
  model.vision = {4, After::kQuickGelu, 1e-5f};
  model.end = 49407;
  model.end_is_greatest = false;
  model.arrays = arrays_of(weights);
  return model;
}

// The greatest difference of packed rows and the padded golden ones.
double difference(const TokenBatch& batch, const float* found, const Safetensors& io,
                  const std::string& name) {
  const auto& shape = io.tensor(name).shape;
  const auto expected = io.values<float>(name, shape);
  double worst = 0, spread = 0;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    for (std::size_t t = 0; t < batch.length(k); ++t) {
      for (std::size_t i = 0; i < shape[2]; ++i) {
        const double wanted = expected[(k * shape[1] + t) * shape[2] + i];
        worst = std::max(worst, std::fabs(found[(batch.begin(k) + t) * shape[2] + i] - wanted));
        spread = std::max(spread, std::fabs(wanted));
      }
    }
  }
  EXPECT_GT(spread, .1) << name << ": the test is blind";
  return worst;
}

double largest_difference(std::span<const float> a, std::span<const float> b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::fabs(static_cast<double>(a[i]) - b[i]));
  return worst;
}

#define NEED_MODEL(name)                                                   \
  CAPELLA_NEED_SHARED(weights_path, "golden/neural/" name ".safetensors"); \
  CAPELLA_NEED_SHARED(io_path, "golden/neural/" name ".io.safetensors");   \
  const Safetensors weights(weights_path.string()), io(io_path.string())

TEST(DeviceBert, HasRobertasHiddenStates) {
  NEED_MODEL("roberta_tiny");
  const TokenBatch batch = tokens_of(io);
  for (const std::size_t together : {1u, 40u, 0u}) {
    const auto bert = encoders().bert(tiny_bert(weights, true), on_cpu(together));
    ASSERT_EQ(bert->layers(), 3u);
    const std::size_t size = batch.ids.size() * bert->width();
    const std::vector<std::size_t> layers = {0, 1, 2, 3};
    std::vector<float> found(4 * size);
    bert->hidden(batch, layers, found.data());
    for (const std::size_t l : layers)
      EXPECT_LT(difference(batch, found.data() + l * size, io, "out.hidden" + std::to_string(l)), 1e-5);
    EXPECT_LT(difference(batch, found.data() + 3 * size, io, "out.last_hidden_state"), 1e-5);
  }
}

TEST(DeviceBert, HasBertsHiddenStatesAndPooler) {
  NEED_MODEL("bert_tiny");
  const TokenBatch batch = tokens_of(io);
  const auto bert = encoders().bert(tiny_bert(weights, false), on_cpu());
  std::vector<float> found(batch.ids.size() * bert->width());
  const std::vector<std::size_t> last = {3};
  bert->hidden(batch, last, found.data());
  EXPECT_LT(difference(batch, found.data(), io, "out.last_hidden_state"), 1e-5);
  std::vector<float> pooled(batch.size() * bert->width());
  bert->pool(batch, pooled.data());
  EXPECT_LT(largest_difference(pooled, io.values<float>("out.pooler_output", {batch.size(), bert->width()})),
            1e-5);
}

TEST(DeviceBert, GivesFirstTokensWithSumsOfAll) {
  NEED_MODEL("roberta_tiny");
  const TokenBatch batch = tokens_of(io);
  const auto bert = encoders().bert(tiny_bert(weights, true), on_cpu(50));
  const std::size_t width = bert->width(), layers = 4;
  std::vector<float> all(batch.size() * layers * width), without(all.size()), last(batch.size() * width);
  std::vector<double> sums(batch.size() * layers), squares(sums.size());
  bert->first_tokens_of_all_layers(batch, all.data(), sums.data(), squares.data());
  bert->first_tokens_of_all_layers(batch, without.data(), nullptr, nullptr);
  bert->first_tokens(batch, last.data());
  EXPECT_LT(largest_difference(all, without), 1e-6) << "the last layer of the first tokens alone";
  for (std::size_t l = 0; l < layers; ++l) {
    const std::string name = "out.hidden" + std::to_string(l);
    const auto& shape = io.tensor(name).shape;
    const auto golden = io.values<float>(name, shape);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      double sum = 0, square = 0;
      for (std::size_t i = 0; i < batch.length(k) * width; ++i) {
        const double value = golden[k * shape[1] * width + i];
        sum += value;
        square += value * value;
      }
      EXPECT_NEAR(sums[k * layers + l], sum, 1e-3);
      EXPECT_NEAR(squares[k * layers + l], square, 1e-3);
      for (std::size_t i = 0; i < width; ++i) {
        EXPECT_NEAR(all[(k * layers + l) * width + i], golden[k * shape[1] * width + i], 1e-5);
        if (l < 3) continue;
        EXPECT_NEAR(last[k * width + i], golden[k * shape[1] * width + i], 1e-5);
      }
    }
  }
}

TEST(DeviceBert, ScoresTheSecondOfTwoTextsAsOne) {
  NEED_MODEL("bert_tiny");
  TokenBatch batch = tokens_of(io);
  const BertModel model = tiny_bert(weights, false);
  const auto bert = encoders().bert(model, on_cpu());
  std::vector<float> first(batch.ids.size() * bert->width()), second(first.size());
  const std::vector<std::size_t> embedded = {0};
  bert->hidden(batch, embedded, first.data());
  batch.second.assign(batch.ids.size(), 1);
  bert->hidden(batch, embedded, second.data());
  EXPECT_GT(largest_difference(first, second), 1e-3);
  // The same as a model whose first kind is the second one.
  BertModel turned = model;
  for (auto& array : turned.arrays) {
    if (array.name == "embeddings.token_type_embeddings.weight")
      std::rotate(array.values.begin(), array.values.begin() + 16, array.values.end());
  }
  batch.second.clear();
  encoders().bert(turned, on_cpu())->hidden(batch, embedded, first.data());
  EXPECT_EQ(first, second);
}

TEST(DeviceClip, HasTheFeaturesOfTexts) {
  NEED_MODEL("clip_tiny");
  const TokenBatch batch = tokens_of(io);
  for (const std::size_t together : {1u, 60u, 0u}) {
    const auto clip = encoders().clip(tiny_clip(weights), on_cpu(together));
    std::vector<float> found(batch.size() * clip->width());
    clip->texts(batch, found.data());
    EXPECT_LT(largest_difference(found, io.values<float>("out.text_features", {batch.size(), 24})), 1e-5);
  }
}

TEST(DeviceClip, DoesNotSeeWhatComesBehindTheEnd) {
  NEED_MODEL("clip_tiny");
  const TokenBatch batch = tokens_of(io);
  TokenBatch longer;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    std::vector<std::int32_t> ids(batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.begin(k)),
                                  batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.end(k)));
    ids.insert(ids.end(), k % 5, static_cast<std::int32_t>(k));
    longer.add(ids);
  }
  const auto clip = encoders().clip(tiny_clip(weights), on_cpu());
  std::vector<float> a(batch.size() * clip->width()), b(a.size());
  clip->texts(batch, a.data());
  clip->texts(longer, b.data());
  EXPECT_EQ(a, b);
}

TEST(DeviceClip, HasTheFeaturesOfImages) {
  NEED_MODEL("clip_tiny");
  const auto pixels = io.values<float>("in.pixel_values", {6, 3, 224, 224});
  const auto expected = io.values<float>("out.image_features", {6, 24});
  for (const std::size_t together : {1u, 120u, 0u}) {
    const auto clip = encoders().clip(tiny_clip(weights), on_cpu(together));
    ASSERT_EQ(clip->image_size(), 224u);
    std::vector<float> found(expected.size());
    clip->images(pixels.data(), 6, found.data());
    EXPECT_LT(largest_difference(found, expected), 1e-5);
  }
}

TEST(DeviceClip, NormalisesBytes) {
  NEED_MODEL("clip_tiny");
  const auto clip = encoders().clip(tiny_clip(weights), on_cpu());
  constexpr std::size_t kSide = 224, kCount = 2;
  const std::array<float, 3> mean = {.5f, .25f, .75f}, deviation = {.3f, .2f, .1f};
  std::vector<std::uint8_t> rgb(kCount * kSide * kSide * 3);
  for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = static_cast<std::uint8_t>(i * i % 251);
  std::vector<float> pixels(rgb.size());
  for (std::size_t k = 0; k < kCount; ++k) {
    for (std::size_t p = 0; p < kSide * kSide; ++p) {
      for (std::size_t c = 0; c < 3; ++c) {
        const float value = static_cast<float>(rgb[(k * kSide * kSide + p) * 3 + c]) / 255.0f;
        pixels[(k * 3 + c) * kSide * kSide + p] = (value - mean[c]) / deviation[c];
      }
    }
  }
  std::vector<float> a(kCount * clip->width()), b(a.size());
  clip->images(pixels.data(), kCount, a.data());
  clip->images(rgb.data(), kCount, mean, deviation, b.data());
  EXPECT_LT(largest_difference(a, b), 1e-6);
}

TEST(DeviceEncoders, InHalfThePrecisionAreNear) {
  NEED_MODEL("roberta_tiny");
  const TokenBatch batch = tokens_of(io);
  DeviceSettings half = on_cpu();
  half.precision = encoder::DevicePrecision::kBFloat16;
  const auto whole = encoders().bert(tiny_bert(weights, true), on_cpu());
  const auto bert = encoders().bert(tiny_bert(weights, true), half);
  std::vector<float> a(batch.size() * bert->width()), b(a.size());
  whole->first_tokens(batch, a.data());
  bert->first_tokens(batch, b.data());
  const double worst = largest_difference(a, b);
  EXPECT_GT(worst, 1e-4);
  EXPECT_LT(worst, .1);
}

TEST(DeviceEncoders, RefuseWhatDoesNotFit) {
  NEED_MODEL("roberta_tiny");
  BertModel model = tiny_bert(weights, true);
  const auto bert = encoders().bert(model, on_cpu());
  float out[16];
  TokenBatch batch;
  batch.add(std::vector<std::int32_t>{0, 50265});
  EXPECT_EQ(message_of<UsageError>([&] { bert->first_tokens(batch, out); }),
            "found the token 50265, the model has 50265; does the tokenizer belong to the model?");
  batch = {};
  batch.add(std::vector<std::int32_t>(513, 5));
  EXPECT_EQ(message_of<UsageError>([&] { bert->first_tokens(batch, out); }),
            "a sequence has 513 tokens, the model takes 512 at most");
  const std::vector<std::size_t> layers = {4};
  EXPECT_EQ(message_of<UsageError>([&] { bert->hidden(batch, layers, out); }),
            "4 layers were asked for, the model has 3");
  model.tower.heads = 5;
  EXPECT_EQ(message_of<DataError>([&] { encoders().bert(model, on_cpu()); }),
            "layers of 16 numbers cannot be shared among 5 heads");
  model.tower.heads = 4;
  std::erase_if(model.arrays,
                [](const auto& array) { return array.name == "encoder.layer.1.output.dense.bias"; });
  EXPECT_EQ(message_of<DataError>([&] { encoders().bert(model, on_cpu()); }),
            "array 'encoder.layer.1.output.dense.bias' is missing; the encoder needs it");
  EXPECT_EQ(capella_torch_encoders(encoder::kDeviceVersion + 1), nullptr);
}

}  // namespace
}  // namespace capella::test
