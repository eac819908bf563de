// Learned metrics against the reference program and against the slow twin: arrays, scores, masks.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "small_deneb.h"
#include "support/message_of.h"
#include "support/shared.h"
#include "tensor/safetensors.h"

extern "C" const capella::method::deneb::NetworkMaker* capella_torch_deneb(int version);

namespace capella::test {
namespace {

using deneb::Architecture;
using tensor::NetworkArray;

std::size_t learnt_numbers(const deneb::Network& network) {
  std::size_t total = 0;
  for (const NetworkArray& array : network.arrays(false)) {
    if (array.name != deneb::kMixMean && array.name != deneb::kMixVariance) total += array.values.size();
  }
  return total;
}

TEST(DenebArrays, AreAsManyNumbersAsTheAuthorsNetworksHave) {
  deneb::Recipe large = deneb::recipe(Architecture::released);
  large.clip_width = 768;
  EXPECT_EQ(deneb::parameter_count(large), 103911951u);
  EXPECT_EQ(learnt_numbers(*deneb_maker().make(large, "cpu", 1, 0)), 103911951u);
  EXPECT_EQ(deneb::parameter_count(deneb::recipe(Architecture::released)), 103911951u - 196608u);
  EXPECT_EQ(deneb::parameter_count(deneb::recipe(Architecture::polos)), 16814593u + 14u);
  EXPECT_EQ(learnt_numbers(*deneb_maker().make(deneb::recipe(Architecture::polos), "cpu", 1, 0)),
            16814593u + 14u);
  // The encoder, both projections, six kinds and one token, the mix, the head.
  EXPECT_EQ(deneb::parameter_count(deneb::recipe(Architecture::paper)),
            16541952u + 513u * 768 + 769u * 768 + 7u * 768 + 14u + 769u * 1536 + 1537u * 768 + 769u);
}

TEST(DenebArrays, AreCountedForEveryVariant) {
  for (const auto& [name, recipe] : all_variants())
    EXPECT_EQ(learnt_numbers(*deneb_maker().make(recipe, "cpu", 1, 1)), deneb::parameter_count(recipe))
        << name;
}

TEST(DenebArrays, LayersStartAsCopiesAndNetworksBySeed) {
  const deneb::Recipe recipe = small_deneb(Architecture::released);
  const auto first = deneb_maker().make(recipe, "cpu", 7, 1)->arrays(false);
  const auto again = deneb_maker().make(recipe, "cpu", 7, 2)->arrays(false);
  const auto other = deneb_maker().make(recipe, "cpu", 8, 1)->arrays(false);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].values, again[i].values) << first[i].name;
  const std::string weight = "self_attn.in_proj_weight";
  const auto& zero = deneb_array(first, "transformer.layers.0." + weight).values;
  EXPECT_EQ(zero, deneb_array(first, "transformer.layers.1." + weight).values);
  EXPECT_NE(zero, deneb_array(first, "transformer2.layers.0." + weight).values);
  EXPECT_NE(zero, deneb_array(other, "transformer.layers.0." + weight).values);
}

// The greatest and the mean square of an array's numbers.
std::pair<double, double> spread_of(const NetworkArray& array) {
  double most = 0, squares = 0;
  for (const double value : array.values) {
    most = std::max(most, std::fabs(value));
    squares += value * value;
  }
  return {most, squares / static_cast<double>(array.values.size())};
}

TEST(DenebArrays, StartAsTorchsLayersDo) {
  deneb::Recipe recipe = small_deneb(Architecture::released);
  recipe.width = 64;
  recipe.clip_width = 100;
  recipe.feed_forward = 200;
  const auto arrays = deneb_maker().make(recipe, "cpu", 3, 1)->arrays(false);
  const auto expect_uniform = [&](const std::string& name, double bound) {
    const auto [most, square] = spread_of(deneb_array(arrays, name));
    EXPECT_LE(most, bound) << name;
    EXPECT_GT(most, .98 * bound) << name;
    EXPECT_NEAR(square, bound * bound / 3, .05 * bound * bound) << name;
  };
  expect_uniform("upsampler.weight", 1 / std::sqrt(100.0));
  expect_uniform("transformer.layers.0.self_attn.in_proj_weight", std::sqrt(6 / (4 * 128.0)));
  expect_uniform("transformer.layers.0.self_attn.out_proj.weight", 1 / std::sqrt(128.0));
  expect_uniform("transformer.layers.0.linear2.weight", 1 / std::sqrt(200.0));
  EXPECT_NEAR(spread_of(deneb_array(arrays, "cls_token1")).second, 1e-12, 4e-13);
  for (const float x : deneb_array(arrays, "transformer.layers.0.self_attn.in_proj_bias").values)
    EXPECT_EQ(x, 0);
  for (const float x : deneb_array(arrays, "transformer.layers.1.norm1.weight").values) EXPECT_EQ(x, 1);
  EXPECT_EQ(deneb_array(arrays, "scalar_mix.gamma").values.front(), 1);
}

TEST(DenebArrays, WithACosineScoreByItAtFirst) {
  deneb::Recipe recipe = small_deneb(Architecture::released);
  recipe.cosine = true;
  recipe.sentence_layers = 1;
  const auto network = deneb_maker().make(recipe, "cpu", 3, 1);
  // The first caption's own vector, its opposite, and one at a right angle.
  const std::vector<float> images(5), captions(3 * 5, 1.0f);
  const std::vector<float> sentences = {1, 2, 0, 0, 0, 0, -1, -2, 0, 0, 0, 0, 2, -1, 0, 0, 0, 0};
  deneb::Features features;
  features.images = {5, 1, images};
  features.captions = {5, 1, captions};
  features.sentences = {6, 1, sentences};
  deneb::Samples samples;
  samples.images = samples.candidates = {0, 0, 0, 0};
  samples.references = {0, 1, 2, 0, 2};
  samples.ends = {1, 2, 3, 5};
  const auto found = network->predict(*network->load(features), samples, {}, {});
  const double cosines[] = {1, -1, 0, .75};  // of the last: the highest is 1, the mean 1/2
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found[k], 1 / (1 + std::exp(-5 * (cosines[k] - .5))), 1e-6);
}

TEST(DenebScores, AreThoseOfTheReferenceProgram) {
  CAPELLA_NEED_SHARED(weights_path, "golden/neural/deneb_tiny.safetensors");
  CAPELLA_NEED_SHARED(values_path, "golden/neural/deneb_tiny.io.safetensors");
  const tensor::Safetensors weights(weights_path.string()), values(values_path.string());
  deneb::Recipe recipe = deneb::recipe(Architecture::released);
  recipe.clip_width = 20;
  recipe.sentence_width = 16;
  recipe.sentence_layers = 1;
  recipe.width = 24;
  recipe.heads = 4;
  recipe.feed_forward = 64;
  recipe.hidden = {48, 24};
  const auto network = deneb_maker().make(recipe, "cpu", 1, 1);
  std::vector<NetworkArray> arrays;
  for (const auto& [name, found] : weights.tensors()) {
    const auto numbers = weights.values<float>(name, found.shape);
    arrays.push_back({name, found.shape, {numbers.begin(), numbers.end()}});
  }
  network->set_arrays(arrays);
  constexpr std::size_t kSamples = 5, kReferences = 4;
  const auto image = values.values<float>("in.image", {kSamples, 20});
  std::vector<float> captions, sentences;
  const auto append = [](std::vector<float>& to, std::span<const float> from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(captions, values.values<float>("in.cand_clip", {kSamples, 20}));
  append(captions, values.values<float>("in.refs_clip", {kSamples, kReferences, 20}));
  append(sentences, values.values<float>("in.cand_rb", {kSamples, 16}));
  append(sentences, values.values<float>("in.refs_rb", {kSamples, kReferences, 16}));
  deneb::Features features;
  features.images = {20, 1, image};
  features.captions = {20, 1, captions};
  features.sentences = {16, 1, sentences};
  deneb::Samples samples;
  for (std::uint32_t k = 0; k < kSamples; ++k) {
    samples.images.push_back(k);
    samples.candidates.push_back(k);
    for (std::uint32_t r = 0; r < kReferences; ++r)
      samples.references.push_back(static_cast<std::uint32_t>(kSamples + k * kReferences + r));
    samples.ends.push_back(samples.references.size());
  }
  const auto expected = values.values<float>("out.score", {kSamples});
  const auto found = network->predict(*network->load(features), samples, {}, {});
  std::set<float> different(expected.begin(), expected.end());
  EXPECT_EQ(different.size(), kSamples) << "equal scores: the test is blind";
  for (std::size_t k = 0; k < kSamples; ++k) EXPECT_NEAR(found[k], expected[k], 1e-5);
}

class DenebVariant : public ::testing::TestWithParam<NamedRecipe> {};

TEST_P(DenebVariant, ScoresAsTheTwin) {
  const deneb::Recipe& recipe = GetParam().recipe;
  const auto network = random_network(recipe, 5);
  const SmallFeatures given(recipe, 6, 15, 3);
  const deneb::Samples samples = random_samples(9, 6, 15, 4, 8);
  const auto tables = network->load(given.features);
  const auto expected = reference::deneb_scores(twin_of(*network), given.features, samples, all_of(samples));
  deneb::PredictOptions options;
  options.batch = samples.size();
  const auto found = network->predict(*tables, samples, options, {});
  double least = 1, most = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    EXPECT_NEAR(found[k], expected[k], 2e-6) << k;
    least = std::min(least, found[k]);
    most = std::max(most, found[k]);
  }
  EXPECT_GT(most - least, 1e-3) << "all scores are alike: the test is blind";
}

TEST_P(DenebVariant, ScoresDependOnNeighboursOnlyIfAskedTo) {
  const deneb::Recipe& recipe = GetParam().recipe;
  const bool mixes = recipe.sentence_width > 0 && recipe.sentence_layers > 1;
  const bool alone = !recipe.cut_references && !(mixes && recipe.mix == deneb::MixStatistics::batch);
  const auto network = random_network(recipe, 6);
  const SmallFeatures given(recipe, 6, 15, 4);
  const deneb::Samples samples = random_samples(9, 6, 15, 4, 9);
  const auto tables = network->load(given.features);
  deneb::PredictOptions together, apart;
  together.batch = samples.size();
  apart.batch = 1;
  const auto a = network->predict(*tables, samples, together, {});
  const auto b = network->predict(*tables, samples, apart, {});
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::fabs(a[k] - b[k]));
  if (alone) {
    EXPECT_LT(largest, 1e-6);
  } else {
    EXPECT_GT(largest, 1e-5);
  }
}

TEST_P(DenebVariant, ComesBackFromItsArrays) {
  const deneb::Recipe& recipe = GetParam().recipe;
  const auto network = random_network(recipe, 7);
  const SmallFeatures given(recipe, 6, 15, 5);
  const deneb::Samples samples = random_samples(7, 6, 15, 3, 10);
  const auto tables = network->load(given.features);
  network->train(*tables, samples, all_of(samples), 1, {});
  const auto kept = network->arrays(true);
  const auto other = deneb_maker().make(recipe, "cpu", 99, 1);
  other->set_arrays(kept);
  const auto back = other->arrays(true);
  ASSERT_EQ(back.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(back[i].name, kept[i].name);
    EXPECT_EQ(back[i].values, kept[i].values) << kept[i].name;
  }
  EXPECT_EQ(other->predict(*tables, samples, {}, {}), network->predict(*tables, samples, {}, {}));
}

INSTANTIATE_TEST_SUITE_P(All, DenebVariant, ::testing::ValuesIn(all_variants()), name_of);

TEST(DenebScores, AreThereForBatchesOfAnySize) {
  const deneb::Recipe recipe = small_deneb(Architecture::released);
  const auto network = random_network(recipe, 6);
  const SmallFeatures given(recipe, 6, 15, 4);
  const deneb::Samples samples = random_samples(33, 6, 15, 3, 9);  // 33 mod 32 = 1
  deneb::PredictOptions options;
  options.batch = 32;
  const auto scores = network->predict(*network->load(given.features), samples, options, {});
  ASSERT_EQ(scores.size(), 33u);
  const std::vector<std::uint32_t> last = {32};
  EXPECT_NEAR(scores[32], reference::deneb_scores(twin_of(*network), given.features, samples, last)[0], 2e-6);
}

TEST(DenebScores, WithHalfThePrecisionAreNear) {
  const deneb::Recipe recipe = small_deneb(Architecture::released);
  const auto network = random_network(recipe, 6);
  const SmallFeatures given(recipe, 6, 15, 4);
  const deneb::Samples samples = random_samples(20, 6, 15, 3, 9);
  const auto tables = network->load(given.features);
  deneb::PredictOptions options;
  options.precision = deneb::Precision::bfloat16;
  const auto half = network->predict(*tables, samples, options, {});
  const auto whole = network->predict(*tables, samples, {}, {});
  EXPECT_NE(half, whole);
  for (std::size_t k = 0; k < half.size(); ++k) EXPECT_NEAR(half[k], whole[k], .03);
}

TEST(DenebScores, OfFeaturesInHalfTheMemoryAreThoseOfTheRoundedOnes) {
  const deneb::Recipe recipe = small_deneb(Architecture::released);
  const auto network = random_network(recipe, 6);
  SmallFeatures given(recipe, 6, 15, 4);
  const deneb::Samples samples = random_samples(20, 6, 15, 3, 9);
  std::vector<std::uint16_t> halves;
  for (float& value : given.sentences) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    halves.push_back(static_cast<std::uint16_t>(bits >> 16));
    bits &= 0xFFFF0000u;
    std::memcpy(&value, &bits, 4);
  }
  const auto expected = network->predict(*network->load(given.features), samples, {}, {});
  given.features.sentences.floats = {};
  given.features.sentences.halves = halves;
  EXPECT_EQ(network->predict(*network->load(given.features), samples, {}, {}), expected);
}

TEST(DenebStatistics, AreThoseOfAllCaptionsAsOftenAsTheyAreThere) {
  const deneb::Recipe recipe = small_deneb(Architecture::polos);
  const auto network = random_network(recipe, 6);
  const SmallFeatures given(recipe, 3, 7, 4);
  const deneb::Samples samples = random_samples(5, 3, 7, 3, 9);
  network->freeze_statistics(given.features, samples);
  std::vector<std::uint32_t> rows = samples.candidates;
  rows.insert(rows.end(), samples.references.begin(), samples.references.end());
  const auto arrays = network->arrays(false);
  for (std::size_t l = 0; l < 3; ++l) {
    double sum = 0, squares = 0, count = 0;
    for (const std::uint32_t row : rows) {
      sum += given.sums[row * 3 + l];
      squares += given.squares[row * 3 + l];
      count += 6.0 * given.tokens[row];
    }
    const double mean = sum / count;
    EXPECT_NEAR(deneb_array(arrays, deneb::kMixMean).values[l], mean, 1e-6);
    EXPECT_NEAR(deneb_array(arrays, deneb::kMixVariance).values[l], squares / count - mean * mean, 1e-6);
  }
}

TEST(DenebMaker, RefusesWhatCannotBe) {
  deneb::Recipe recipe = small_deneb(Architecture::released);
  EXPECT_EQ(message_of<UsageError>([&] { deneb_maker().make(recipe, "tpu", 1, 1); }),
            "device 'tpu' is not known; there are cpu and cuda");
  recipe.heads = 3;
  EXPECT_EQ(message_of<UsageError>([&] { deneb_maker().make(recipe, "cpu", 1, 1); }),
            "learned metric: tokens of 8 numbers cannot be shared among 3 heads");
  recipe = small_deneb(Architecture::polos);
  recipe.references = deneb::References::together;
  EXPECT_EQ(message_of<UsageError>([&] { deneb_maker().make(recipe, "cpu", 1, 1); }),
            "learned metric: Polos scores each reference alone: take the best or the mean");
  recipe = small_deneb(Architecture::paper);
  recipe.clip_width = recipe.sentence_width = 0;
  EXPECT_EQ(message_of<UsageError>([&] { deneb_maker().make(recipe, "cpu", 1, 1); }),
            "learned metric: there is no encoder; give a width for one of them at least");
  EXPECT_EQ(capella_torch_deneb(deneb::kPluginVersion + 1), nullptr);
}

TEST(DenebSamples, ThatCannotBeScoredAreNamed) {
  const deneb::Recipe recipe = small_deneb(Architecture::released);
  const auto network = random_network(recipe, 6);
  const SmallFeatures given(recipe, 6, 15, 4);
  const auto tables = network->load(given.features);
  const auto message = [&](const deneb::Samples& samples) {
    return message_of<DataError>([&] { network->train(*tables, samples, all_of(samples), 1, {}); });
  };
  deneb::Samples samples = random_samples(3, 6, 15, 3, 9);
  samples.scores[2] = 1.5f;
  EXPECT_EQ(message(samples), "sample 2 has the score 1.500000, expected one from 0 to 1");
  samples = random_samples(3, 6, 15, 3, 9);
  samples.ends[1] = samples.ends[0];
  EXPECT_EQ(message(samples), "sample 1 has no references; the network needs at least one");
  samples = random_samples(3, 6, 15, 3, 9);
  samples.references.back() = 15;
  EXPECT_EQ(message(samples), "sample 2 has a reference that has no vector");
  samples = random_samples(3, 6, 15, 3, 9);
  samples.images[0] = 6;
  EXPECT_EQ(message(samples), "sample 0 has an image that has no vector");
}

TEST(DenebFeatures, ThatDoNotFitAreNamed) {
  const auto network = random_network(small_deneb(Architecture::released), 6);
  deneb::Recipe other = small_deneb(Architecture::released);
  other.sentence_width = 8;
  const SmallFeatures given(other, 6, 15, 4);
  EXPECT_EQ(message_of<DataError>([&] { network->load(given.features); }),
            "features: vectors of sentences have 3 x 8 numbers, the network reads 3 x 6");
  SmallFeatures fewer(small_deneb(Architecture::released), 6, 15, 4);
  fewer.features.captions.floats = fewer.features.captions.floats.first(10 * 5);
  EXPECT_EQ(message_of<DataError>([&] { network->load(fewer.features); }),
            "features: there are 10 captions but 15 sentences; each caption has one row in both");
}

}  // namespace
}  // namespace capella::test
