// The encoders and DENEB's head on small random models: what Hugging Face's transformers and PyTorch made of
// the same weights and inputs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "encoder/bert.h"
#include "encoder/clip.h"
#include "encoder/sim_vec_head.h"
#include "support/shared.h"
#include "tensor/safetensors.h"

namespace capella::test {
namespace {

using encoder::ModelFolder;
using encoder::TokenBatch;
using tensor::Safetensors;

constexpr double kNear = 1e-5;

nlohmann::json json_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

// Golden inputs are padded; a mask says what is there.
struct PaddedTokens {
  std::size_t length = 0;
  TokenBatch batch;
};

PaddedTokens padded_tokens(const Safetensors& io) {
  const tensor::Shape shape = io.tensor("in.input_ids").shape;
  const auto ids = io.values<std::int64_t>("in.input_ids", shape);
  const auto mask = io.values<std::int64_t>("in.attention_mask", shape);
  PaddedTokens result{shape.at(1), {}};
  for (std::size_t row = 0; row < shape[0]; ++row) {
    std::vector<std::int32_t> sequence;
    for (std::size_t i = row * shape[1]; i < (row + 1) * shape[1]; ++i) {
      if (mask[i] != 0) sequence.push_back(static_cast<std::int32_t>(ids[i]));
    }
    result.batch.add(sequence);
  }
  return result;
}

// The greatest difference seen; it goes into the test's report.
class Difference {
 public:
  explicit Difference(std::string what) : what_(std::move(what)) {}
  void add(double found, double expected) {
    ++count_;
    most_ = std::max(most_, std::fabs(found - expected));
    if (!std::isfinite(found)) most_ = INFINITY;
  }
  void expect_small() const {
    std::printf("%s: %zu numbers, greatest difference %.2e\n", what_.c_str(), count_, most_);
    EXPECT_GT(count_, 0u);
    EXPECT_LE(most_, kNear) << what_;
  }

 private:
  std::string what_;
  std::size_t count_ = 0;
  double most_ = 0;
};

// Packed rows against padded ones.
void compare_hidden(const PaddedTokens& tokens, const float* rows, std::size_t stride, const Safetensors& io,
                    const std::string& name, std::size_t width) {
  const TokenBatch& batch = tokens.batch;
  const auto expected = io.values<float>(name, {batch.size(), tokens.length, width});
  Difference difference(name);
  for (std::size_t k = 0; k < batch.size(); ++k) {
    for (std::size_t t = 0; t < batch.length(k); ++t) {
      for (std::size_t i = 0; i < width; ++i)
        difference.add(rows[(batch.begin(k) + t) * stride + i],
                       expected[(k * tokens.length + t) * width + i]);
    }
  }
  difference.expect_small();
}

void compare(const std::vector<float>& found, std::span<const float> expected, const std::string& name) {
  ASSERT_EQ(found.size(), expected.size());
  Difference difference(name);
  for (std::size_t i = 0; i < found.size(); ++i) difference.add(found[i], expected[i]);
  difference.expect_small();
}

TEST(EncodersGolden, Roberta) {
  CAPELLA_NEED_SHARED(folder, "golden/neural");
  const Safetensors io((folder / "roberta_tiny.io.safetensors").string());
  const encoder::Bert bert(ModelFolder((folder / "roberta_tiny.safetensors").string(),
                                       json_file(folder / "roberta_tiny.config.json")));
  const PaddedTokens tokens = padded_tokens(io);
  EXPECT_EQ(bert.most_tokens(), 512u);
  std::size_t calls = 0;
  bert.run(tensor::kernels(), tokens.batch, bert.layers(),
           [&](std::size_t layer, const float* rows, std::size_t stride) {
             EXPECT_EQ(layer, calls++);
             compare_hidden(tokens, rows, stride, io, "out.hidden" + std::to_string(layer), bert.width());
             if (layer == bert.layers())
               compare_hidden(tokens, rows, stride, io, "out.last_hidden_state", bert.width());
           });
  EXPECT_EQ(calls, 4u);
}

TEST(EncodersGolden, Bert) {
  CAPELLA_NEED_SHARED(folder, "golden/neural");
  const Safetensors io((folder / "bert_tiny.io.safetensors").string());
  const encoder::Bert bert(
      ModelFolder((folder / "bert_tiny.safetensors").string(), json_file(folder / "bert_tiny.config.json")));
  const PaddedTokens tokens = padded_tokens(io);
  bert.run(tensor::kernels(), tokens.batch, bert.layers(),
           [&](std::size_t layer, const float* rows, std::size_t stride) {
             if (layer == bert.layers())
               compare_hidden(tokens, rows, stride, io, "out.last_hidden_state", bert.width());
           });
  std::vector<float> pooled(tokens.batch.size() * bert.width());
  bert.pool(tensor::kernels(), tokens.batch, pooled.data());
  compare(pooled, io.values<float>("out.pooler_output", {tokens.batch.size(), bert.width()}), "pooler");
}

TEST(EncodersGolden, Clip) {
  CAPELLA_NEED_SHARED(folder, "golden/neural");
  const Safetensors io((folder / "clip_tiny.io.safetensors").string());
  const encoder::Clip clip(
      ModelFolder((folder / "clip_tiny.safetensors").string(), json_file(folder / "clip_tiny.config.json")));
  EXPECT_EQ(clip.width(), 24u);
  EXPECT_EQ(clip.image_size(), 224u);
  EXPECT_EQ(clip.most_tokens(), 77u);
  EXPECT_EQ(clip.end_token(), 49407);
  const PaddedTokens tokens = padded_tokens(io);
  std::vector<float> texts(tokens.batch.size() * clip.width());
  clip.texts(tensor::kernels(), tokens.batch, texts.data());
  compare(texts, io.values<float>("out.text_features", {tokens.batch.size(), 24}), "texts");
  const std::size_t count = io.tensor("in.pixel_values").shape.at(0);
  std::vector<float> images(count * clip.width());
  clip.images(tensor::kernels(), io.values<float>("in.pixel_values", {count, 3, 224, 224}).data(), count,
              images.data());
  compare(images, io.values<float>("out.image_features", {count, 24}), "images");
}

TEST(EncodersGolden, DenebsHead) {
  CAPELLA_NEED_SHARED(folder, "golden/neural");
  const Safetensors io((folder / "deneb_tiny.io.safetensors").string());
  const encoder::SimVecHead head(ModelFolder((folder / "deneb_tiny.safetensors").string(), {{"heads", 4}}));
  EXPECT_TRUE(head.shape().image);
  const std::size_t samples = 5, references = 4, clip = 20, sentence = 16;
  std::vector<std::size_t> ends;
  for (std::size_t k = 0; k < samples; ++k) ends.push_back((k + 1) * references);
  std::vector<float> scores(samples);
  head.scores(
      tensor::kernels(),
      {.clip = {.candidates = io.values<float>("in.cand_clip", {samples, clip}).data(),
                .references = io.values<float>("in.refs_clip", {samples, references, clip}).data(),
                .images = io.values<float>("in.image", {samples, clip}).data()},
       .sentence = {.candidates = io.values<float>("in.cand_rb", {samples, sentence}).data(),
                    .references = io.values<float>("in.refs_rb", {samples, references, sentence}).data()},
       .ends = ends},
      scores.data());
  compare(scores, io.values<float>("out.score", {samples}), "scores");
}

}  // namespace
}  // namespace capella::test
