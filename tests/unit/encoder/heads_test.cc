// The heads of learned metrics: what their files tell, what they refuse, and the mix before them by hand.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/head_samples.h"
#include "encoder/polos_head.h"
#include "encoder/scalar_mix.h"
#include "encoder/sim_vec_head.h"
#include "support/message_of.h"
#include "support/small_encoders.h"
#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

using test::MemoryWeights;
using test::message_of;
using test::TempDir;

TEST(ScaledRows, HaveTheLengthOfTheRootOfTheirWidth) {
  const std::vector<float> rows = {3, 4, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0};
  EXPECT_EQ(scaled_rows(rows.data(), 3, 4), (std::vector<float>{1.2f, 1.6f, 0, 0, 0, 0, 0, 0, 0, -2, 0, 0}));
}

// CLIP's vectors of 5 numbers, sentences of 6, tokens of 16.
MemoryWeights small_head(const std::string& prefix = "", const std::string& last = "ff.") {
  MemoryWeights weights;
  std::mt19937_64 random(13);
  for (const std::string number : {"", "2"}) {
    weights.fill_linear(prefix + "upsampler" + number, 8, number.empty() ? 5 : 6, random);
    weights.fill(prefix + "cls_token" + (number.empty() ? "1" : number), {1, 1, 16}, random, 1.0f);
    for (const char* layer : {".layers.0.", ".layers.1."}) {
      const std::string name = prefix + "transformer" + number + layer;
      weights.fill(name + "self_attn.in_proj_weight", {48, 16}, random, 0.5f);
      weights.fill(name + "self_attn.in_proj_bias", {48}, random, 0.5f);
      weights.fill_linear(name + "self_attn.out_proj", 16, 16, random);
      weights.fill_linear(name + "linear1", 20, 16, random);
      weights.fill_linear(name + "linear2", 16, 20, random);
      weights.fill_norm(name + "norm1", 16, random);
      weights.fill_norm(name + "norm2", 16, random);
    }
  }
  weights.fill_linear(last + "linear_1", 12, 48, random);
  weights.fill_linear(last + "linear_2", 7, 12, random);
  weights.fill_linear(last + "linear_3", 1, 7, random);
  return weights;
}

SimVecHead heads_open(const MemoryWeights& weights, const nlohmann::json& config = nlohmann::json::object(),
                      const tensor::Metadata& metadata = {}) {
  TempDir folder;
  return SimVecHead(ModelFolder(folder.write("head.safetensors", weights.bytes(metadata)), config));
}

// Two samples, with one and two references.
struct Vectors {
  std::vector<float> clip, clip_references, images, sentence, sentence_references;
  std::vector<std::size_t> ends = {1, 3};

  Vectors() {
    std::mt19937_64 random(17);
    const auto fill = [&](std::vector<float>& to, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i)
        to.push_back(static_cast<float>(random() % 2001) / 1000.0f - 1.0f);
    };
    fill(clip, 2 * 5);
    fill(clip_references, 3 * 5);
    fill(images, 2 * 5);
    fill(sentence, 2 * 6);
    fill(sentence_references, 3 * 6);
  }
  HeadSamples samples() const {
    return {{clip.data(), clip_references.data(), images.data()},
            {sentence.data(), sentence_references.data(), nullptr},
            ends};
  }
};

std::vector<float> scores(const SimVecHead& head, const HeadSamples& samples) {
  std::vector<float> found(samples.size());
  head.scores(tensor::kernels(), samples, found.data());
  return found;
}

TEST(SimVecHead, SizesComeFromTheTensors) {
  const SimVecShape shape = heads_open(small_head()).shape();
  EXPECT_EQ(shape.clip_width, 5u);
  EXPECT_EQ(shape.sentence_width, 6u);
  EXPECT_EQ(shape.width, 8u);
  EXPECT_EQ(shape.layers, 2u);
  EXPECT_EQ(shape.inner, 20u);
  EXPECT_EQ(shape.heads, 8u);
  EXPECT_TRUE(shape.image);
}

TEST(SimVecHead, HeadsAreASetting) {
  EXPECT_EQ(heads_open(small_head(), {{"heads", 4}}).shape().heads, 4u);
  EXPECT_EQ(heads_open(small_head(), {}, {{"heads", "2"}}).shape().heads, 2u);
  const Vectors vectors;
  EXPECT_NE(scores(heads_open(small_head(), {{"heads", 4}}), vectors.samples()),
            scores(heads_open(small_head()), vectors.samples()));
  EXPECT_NE(message_of<FileError>([] {
              heads_open(small_head(), {}, {{"heads", "many"}});
            }).find("'heads' is 'many'"),
            std::string::npos);
}

TEST(SimVecHead, NamesMayHaveWhatTheAuthorsPutBefore) {
  const Vectors vectors;
  EXPECT_EQ(scores(heads_open(small_head("", "ff.0.ff.")), vectors.samples()),
            scores(heads_open(small_head()), vectors.samples()));
  EXPECT_EQ(scores(heads_open(small_head("model.", "model.ff.")), vectors.samples()),
            scores(heads_open(small_head()), vectors.samples()));
}

TEST(SimVecHead, ASampleDoesNotDependOnTheOthersButOnTheOrderOfItsReferences) {
  const SimVecHead head = heads_open(small_head());
  Vectors vectors;
  const std::vector<float> both = scores(head, vectors.samples());
  HeadSamples second = {
      {vectors.clip.data() + 5, vectors.clip_references.data() + 5, vectors.images.data() + 5},
      {vectors.sentence.data() + 6, vectors.sentence_references.data() + 6, nullptr},
      {}};
  const std::vector<std::size_t> end = {2};
  second.ends = end;
  EXPECT_EQ(scores(head, second).front(), both[1]);
  std::swap_ranges(vectors.clip_references.begin() + 5, vectors.clip_references.begin() + 10,
                   vectors.clip_references.begin() + 10);
  EXPECT_NE(scores(head, vectors.samples())[1], both[1]);
  EXPECT_EQ(scores(head, vectors.samples())[0], both[0]);
}

TEST(SimVecHead, RefusesSamplesThatItCannotScore) {
  const SimVecHead head = heads_open(small_head());
  Vectors vectors;
  const auto said = [&](const HeadSamples& samples) {
    return message_of<UsageError>([&] { scores(head, samples); });
  };
  vectors.ends = {0, 3};
  EXPECT_NE(said(vectors.samples()).find("sample 0 has no reference"), std::string::npos);
  vectors.ends = {1, 3};
  HeadSamples samples = vectors.samples();
  samples.clip.images = nullptr;
  EXPECT_NE(said(samples).find("CLIP's vectors of images"), std::string::npos);
  samples = vectors.samples();
  samples.sentence.references = nullptr;
  EXPECT_NE(said(samples).find("sentence encoder's vectors"), std::string::npos);
  EXPECT_TRUE(scores(head, {}).empty());
}

TEST(SimVecHead, MayKnowTextsOnly) {
  MemoryWeights weights = small_head();
  std::mt19937_64 random(1);
  weights.fill_linear("ff.linear_1", 12, 32, random);
  const SimVecHead head = heads_open(weights);
  EXPECT_FALSE(head.shape().image);
  const Vectors vectors;
  HeadSamples samples = vectors.samples();
  const std::vector<float> with = scores(head, samples);  // images are not looked at
  samples.clip.images = nullptr;
  EXPECT_EQ(scores(head, samples), with);
}

TEST(SimVecHead, NamesWhatIsMissingOrHasAnotherShape) {
  const auto said = [](const MemoryWeights& weights) {
    return message_of<FileError>([&] { heads_open(weights); });
  };
  for (const char* name :
       {"cls_token2", "transformer2.layers.1.norm2.weight", "ff.linear_3.weight", "upsampler.bias"}) {
    MemoryWeights weights = small_head();
    weights.erase(name);
    EXPECT_NE(said(weights).find(std::string("'") + name + "'"), std::string::npos) << said(weights);
    weights.set(name, {2}, {1, 2});
    EXPECT_NE(said(weights).find(std::string("'") + name + "'"), std::string::npos) << said(weights);
  }
  MemoryWeights wide = small_head();
  std::mt19937_64 random(1);
  wide.fill_linear("ff.linear_1", 12, 50, random);
  EXPECT_NE(said(wide).find("'ff.linear_1.weight' has the shape [12, 50], expected [12, 48]"),
            std::string::npos);
  EXPECT_NE(said(MemoryWeights()).find("expected DENEB's head"), std::string::npos);
}

TEST(PolosHead, TellsWhetherItSeesImages) {
  TempDir folder;
  MemoryWeights weights;
  std::mt19937_64 random(2);
  const auto shape = [&](std::size_t inputs) {
    weights.fill_linear("ff.linear_1", 4, inputs, random);
    weights.fill_linear("ff.linear_2", 3, 4, random);
    weights.fill_linear("ff.linear_3", 1, 3, random);
    return polos_shape(
        ModelFolder(folder.write("polos.safetensors", weights.bytes()), nlohmann::json::object()), 5, 6);
  };
  EXPECT_TRUE(shape(4 * 6 + 6 * 5).image);
  EXPECT_FALSE(shape(4 * 6 + 3 * 5).image);
  EXPECT_NE(message_of<FileError>([&] { shape(50); }).find("50 inputs, expected 39 or, with an image, 54"),
            std::string::npos);
}

// Two captions, two layers of two numbers. Layer 0 over both: 3 tokens of 2 numbers, sum 6, squares 30, so
// mean 1 and variance 4; layer 1: sum 0, squares 54, so variance 9.
SentenceStates two_captions() {
  SentenceStates states;
  states.layers = 2;
  states.width = 2;
  states.first = {3, -1, 6, 0, 5, 1, -3, 3};
  states.sums = {4, 1, 2, -1};
  states.squares = {20, 24, 10, 30};
  states.tokens = {1, 2};
  return states;
}

TEST(ScalarMix, NormsByTheStatisticsOfTheBatch) {
  const SentenceStates states = two_captions();
  const std::vector<std::size_t> both = {0, 1};
  const MixStatistics statistics = mix_statistics(states, both);
  EXPECT_EQ(statistics.mean, (std::vector<double>{1, 0}));
  EXPECT_EQ(statistics.variance, (std::vector<double>{4, 9}));
  const std::vector<float> equal = {0.5f, 0.5f};
  const ScalarMix mix(equal, 2.0f);  // each layer counts 2 * 1/2
  float out[2];
  mix.mix(states, 0, statistics, out);
  EXPECT_FLOAT_EQ(out[0], 1.0f + 2.0f);   // (3 - 1) / 2 + 6 / 3
  EXPECT_FLOAT_EQ(out[1], -1.0f + 0.0f);  // (-1 - 1) / 2 + 0
}

TEST(ScalarMix, WeighsLayersBySoftmax) {
  MemoryWeights weights;
  weights.set("scalar_mix.scalar_parameters.0", {1}, {0.0f});
  weights.set("scalar_mix.scalar_parameters.1", {1}, {std::log(3.0f)});
  weights.set("scalar_mix.gamma", {1}, {4.0f});
  weights.set("scalar_mix.mean", {2}, {1, 1});
  weights.set("scalar_mix.variance", {2}, {1, 4});
  const ScalarMix mix(weights);
  ASSERT_EQ(mix.layers(), 2u);
  float out[2];
  mix.mix(two_captions(), 1, kept_statistics(weights, 2), out);
  EXPECT_FLOAT_EQ(out[0], 1 * (5 - 1) + 3 * (-3 - 1) / 2.0f);
  EXPECT_FLOAT_EQ(out[1], 1 * (1 - 1) + 3 * (3 - 1) / 2.0f);
  weights.set("scalar_mix.variance", {2}, {1, -4});
  EXPECT_NE(message_of<FileError>([&] { kept_statistics(weights, 2); }).find("below 0"), std::string::npos);
}

TEST(ScalarMix, StatesAreThoseOfTheEncoder) {
  TempDir folder;
  const Bert bert(
      ModelFolder(folder.write("bert.safetensors", test::small_bert().bytes()), test::small_bert_config()));
  SentenceStates states;
  add_states(tensor::kernels(), bert, test::token_batch({{2, 17, 4, 3}}), states);
  add_states(tensor::kernels(), bert, test::token_batch({{2, 9}, {5, 6, 7}}), states);
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states.layers, 3u);
  EXPECT_EQ(states.tokens, (std::vector<std::uint32_t>{4, 2, 3}));
  bert.run(
      tensor::kernels(), test::token_batch({{5, 6, 7}}), 2,
      [&](std::size_t layer, const float* rows, std::size_t stride) {
        const std::size_t at = 2 * 3 + layer;
        double sum = 0, squares = 0;
        for (std::size_t i = 0; i < 3 * stride; ++i) {
          sum += static_cast<double>(rows[i]);
          squares += static_cast<double>(rows[i]) * static_cast<double>(rows[i]);
        }
        EXPECT_NEAR(states.sums[at], sum, 1e-9);
        EXPECT_NEAR(states.squares[at], squares, 1e-9);
        EXPECT_TRUE(std::equal(rows, rows + 32, states.first.begin() + static_cast<std::ptrdiff_t>(at * 32)));
      });
}

}  // namespace
}  // namespace capella::encoder
