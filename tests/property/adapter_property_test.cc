// Adapters agree with their slow twin, whatever their shapes and types, and an encoder opened through one is
// the encoder of the model whose weights the twin has changed.
#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "encoder/bert.h"
#include "encoder/clip.h"
#include "encoder/clip_encoder.h"
#include "encoder/sentence_encoder.h"
#include "reference/lora_reference.h"
#include "support/small_adapter.h"
#include "support/small_clip.h"
#include "support/small_sentence_encoder.h"

namespace capella::encoder {
namespace {

using test::MemoryWeights;
using test::SmallAdapter;
using test::TempDir;

// The upper half of the bits of floats: BF16. Cuts the floats to what is left of them.
std::string cut_to_brain(std::vector<float>& values) {
  std::string bytes;
  for (float& value : values) {
    const auto half = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
    bytes.append(reinterpret_cast<const char*>(&half), sizeof half);
    value = std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
  }
  return bytes;
}

tensor::NamedTensor array(const std::string& name, tensor::Shape shape, std::vector<float>& values,
                          bool brain) {
  if (brain) return {name, tensor::Type::kBF16, std::move(shape), cut_to_brain(values)};
  return tensor::named_tensor<float>(name, std::move(shape), values);
}

std::vector<float> draw(std::size_t count, Random& random) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

TEST(AdapterProperty, AgreesWithItsTwin) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Random random(seed);
    const std::size_t rows = 1 + random.below(20), columns = 1 + random.below(20);
    reference::LowRankUpdate update{1 + random.below(9), 1, {}, {}};
    const double alpha = 0.25 * static_cast<double>(1 + random.below(99));
    const bool root = random.below(2) == 1, brain = random.below(2) == 1;
    const auto rank = static_cast<double>(update.rank);
    update.scale = alpha / (root ? std::sqrt(rank) : rank);
    update.first = draw(update.rank * columns, random);
    update.second = draw(rows * update.rank, random);
    const std::vector<float> matrix = draw(rows * columns, random);

    const TempDir folder;
    MemoryWeights base;
    base.set("m.weight", {rows, columns}, matrix);
    folder.write("base/model.safetensors", base.bytes());
    nlohmann::json config = test::adapter_config("../base", update.rank, alpha);
    config["use_rslora"] = root;
    folder.write("adapter/adapter_config.json", config.dump());
    folder.write(
        "adapter/adapter_model.safetensors",
        tensor::safetensors_bytes({{array("m.lora_A.weight", {update.rank, columns}, update.first, brain),
                                    array("m.lora_B.weight", {rows, update.rank}, update.second, brain)}},
                                  {}));
    const ModelFolder opened((folder.path() / "adapter").string());
    const std::vector<float> found = opened.floats("m.weight", {rows, columns});
    const std::vector<double> expected = reference::lora_reference(matrix, update);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double most = 1e-7 * std::abs(expected[i]) + 1e-12 * alpha * rank;  // half a bit of 24
      RC_ASSERT(std::abs(static_cast<double>(found[i]) - expected[i]) <= most);
    }
  }));
}

// The weights with the adapter's updates added by the twin.
MemoryWeights changed(MemoryWeights weights, const SmallAdapter& adapter,
                      const std::vector<std::string>& modules) {
  for (const std::string& module : modules) {
    const std::string root = "base_model.model." + module, name = module + ".weight";
    const std::vector<double> sums = reference::lora_reference(
        weights.values(name),
        {SmallAdapter::kRank, SmallAdapter::kAlpha / SmallAdapter::kRank,
         adapter.arrays.values(root + ".lora_A.weight"), adapter.arrays.values(root + ".lora_B.weight")});
    weights.set(name, weights.shape(name), {sums.begin(), sums.end()});
  }
  return weights;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5) << i;
}

float greatest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// So far that an adapter which is not read would be noticed.
void expect_far(const std::vector<float>& found, const std::vector<float>& plain) {
  ASSERT_EQ(found.size(), plain.size());
  EXPECT_GT(greatest_difference(found, plain), 0.01f);
}

TEST(AdapterProperty, ASentenceEncoderSeesTheSum) {
  const test::SmallSentenceEncoder base;
  const auto modules = test::small_bert_modules();
  const SmallAdapter adapter(base.path(), test::small_bert(), modules);
  const std::vector<std::string_view> texts = {"a red dog", "two cats on grass!", ""};
  for (const Pooling pooling : {Pooling::as_told, Pooling::pooler}) {
    const auto plain = SentenceEncoder(base.path()).sentences(texts, pooling).values;
    const auto found = SentenceEncoder(adapter.path()).sentences(texts, pooling).values;
    const test::SmallSentenceEncoder merged;
    merged.folder().write("model.safetensors", changed(test::small_bert(), adapter, modules).bytes());
    expect_near(found, SentenceEncoder(merged.path()).sentences(texts, pooling).values);
    expect_far(found, plain);
  }
}

TEST(AdapterProperty, WeightsOfEightBitsAreThoseOfTheSum) {
  const test::SmallSentenceEncoder base;
  const SmallAdapter adapter(base.path(), test::small_bert(), test::small_bert_modules());
  const std::vector<std::string_view> texts = {"a red dog", "two cats on grass!", ""};
  EncoderEngine engine;
  engine.precision = Precision::kInt8;
  const auto found = SentenceEncoder(adapter.path(), engine).sentences(texts, Pooling::mean).values;
  const auto exact = SentenceEncoder(adapter.path()).sentences(texts, Pooling::mean).values;
  const auto plain = SentenceEncoder(base.path(), engine).sentences(texts, Pooling::mean).values;
  EXPECT_LT(greatest_difference(found, exact) * 5, greatest_difference(found, plain));
}

TEST(AdapterProperty, BothTowersOfClipSeeTheSum) {
  const test::SmallClip base;
  const ModelFolder opened(base.path());
  MemoryWeights weights;
  for (const std::string& name : opened.names())
    weights.set(name, opened.shape(name), opened.floats(name, opened.shape(name)));
  const auto modules = test::small_clip_modules();
  const SmallAdapter adapter(base.path(), weights, modules);
  const test::SmallClip merged;
  merged.folder().write("model.safetensors", changed(weights, adapter, modules).bytes());

  const TempDir pictures;
  const std::vector<std::string> paths = {pictures.write("a.png", test::random_picture(3))};
  const std::vector<std::string_view> texts = {"a dog and a cat", "cat"};
  const ClipEncoder plain(base.path()), found(adapter.path()), expected(merged.path());
  expect_near(found.texts(texts, "")->values, expected.texts(texts, "")->values);
  expect_near(found.images(paths)->values, expected.images(paths)->values);
  expect_far(found.texts(texts, "")->values, plain.texts(texts, "")->values);
  expect_far(found.images(paths)->values, plain.images(paths)->values);
}

}  // namespace
}  // namespace capella::encoder
