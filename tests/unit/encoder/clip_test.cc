// CLIP's towers on small random weights: both layouts of names, where texts are read, limits.
#include "encoder/clip.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/device_model.h"
#include "support/message_of.h"
#include "support/small_encoders.h"
#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

using test::MemoryWeights;
using test::message_of;
using test::small_clip;
using test::small_clip_config;
using test::TempDir;
using test::token_batch;

Clip clip_open(const MemoryWeights& weights, const nlohmann::json& config = small_clip_config()) {
  TempDir folder;
  return Clip(ModelFolder(folder.write("model.safetensors", weights.bytes()), config));
}

std::string clip_message(const MemoryWeights& weights, const nlohmann::json& config = small_clip_config()) {
  return message_of<FileError>([&] { clip_open(weights, config); });
}

std::vector<float> texts(const Clip& clip, const TokenBatch& batch) {
  std::vector<float> vectors(batch.size() * clip.width());
  clip.texts(tensor::kernels(), batch, vectors.data());
  return vectors;
}

std::vector<float> pixels(std::size_t count) {
  std::mt19937_64 random(5);
  std::vector<float> values(count * 3 * 12 * 12);
  for (float& value : values) value = static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
  return values;
}

std::vector<float> images(const Clip& clip, const std::vector<float>& of) {
  const std::size_t count = of.size() / (3 * 12 * 12);
  std::vector<float> vectors(count * clip.width());
  clip.images(tensor::kernels(), of.data(), count, vectors.data());
  return vectors;
}

void copy(const MemoryWeights& from, const std::string& name, MemoryWeights& to, const std::string& as) {
  to.set(as, from.shape(name), from.values(name));
}

void copy_turned(const MemoryWeights& from, const std::string& name, MemoryWeights& to,
                 const std::string& as) {
  const std::size_t rows = from.shape(name)[0], columns = from.shape(name)[1];
  std::vector<float> turned(rows * columns);
  for (std::size_t i = 0; i < turned.size(); ++i)
    turned[i % columns * rows + i / columns] = from.values(name)[i];
  to.set(as, {columns, rows}, turned);
}

void copy_tower(const MemoryWeights& from, const std::string& tower, MemoryWeights& to,
                const std::string& as) {
  for (const std::string number : {"0", "1"}) {
    const std::string old = tower + "encoder.layers." + number + ".",
                      fresh = as + "transformer.resblocks." + number + ".";
    for (const std::string end : {"weight", "bias"}) {
      std::vector<float> fused;
      for (const char* part : {"q", "k", "v"}) {
        const std::vector<float>& values = from.values(old + "self_attn." + part + "_proj." + end);
        fused.insert(fused.end(), values.begin(), values.end());
      }
      const tensor::Shape shape = end == "weight" ? tensor::Shape{96, 32} : tensor::Shape{96};
      to.set(fresh + "attn.in_proj_" + end, shape, fused);
      copy(from, old + "self_attn.out_proj." + end, to, fresh + "attn.out_proj." + end);
      copy(from, old + "layer_norm1." + end, to, fresh + "ln_1." + end);
      copy(from, old + "layer_norm2." + end, to, fresh + "ln_2." + end);
      copy(from, old + "mlp.fc1." + end, to, fresh + "mlp.c_fc." + end);
      copy(from, old + "mlp.fc2." + end, to, fresh + "mlp.c_proj." + end);
    }
  }
}

// The same weights under the names of OpenAI and OpenCLIP.
MemoryWeights open_ai_names(const MemoryWeights& from, const std::string& prefix = "") {
  MemoryWeights to;
  copy_tower(from, "text_model.", to, prefix);
  copy_tower(from, "vision_model.", to, prefix + "visual.");
  copy(from, "text_model.embeddings.token_embedding.weight", to, prefix + "token_embedding.weight");
  copy(from, "text_model.embeddings.position_embedding.weight", to, prefix + "positional_embedding");
  copy(from, "vision_model.embeddings.class_embedding", to, prefix + "visual.class_embedding");
  copy(from, "vision_model.embeddings.patch_embedding.weight", to, prefix + "visual.conv1.weight");
  copy(from, "vision_model.embeddings.position_embedding.weight", to, prefix + "visual.positional_embedding");
  for (const std::string end : {"weight", "bias"}) {
    copy(from, "text_model.final_layer_norm." + end, to, prefix + "ln_final." + end);
    copy(from, "vision_model.pre_layrnorm." + end, to, prefix + "visual.ln_pre." + end);
    copy(from, "vision_model.post_layernorm." + end, to, prefix + "visual.ln_post." + end);
  }
  copy_turned(from, "text_projection.weight", to, prefix + "text_projection");
  copy_turned(from, "visual_projection.weight", to, prefix + "visual.proj");
  to.set("logit_scale", {}, {4.6f});
  to.set("input_resolution", {}, {12});
  return to;
}

TEST(Clip, TellsItsSizes) {
  const Clip clip = clip_open(small_clip());
  EXPECT_EQ(clip.width(), 10u);
  EXPECT_EQ(clip.image_size(), 12u);
  EXPECT_EQ(clip.most_tokens(), 20u);
  EXPECT_EQ(clip.end_token(), 59);
}

TEST(Clip, BothLayoutsOfNamesGiveTheSame) {
  const Clip clip = clip_open(small_clip());
  const TokenBatch batch = token_batch({{58, 3, 4, 5, 59}, {58, 59}});
  const std::vector<float> pictures = pixels(2);
  for (const char* prefix : {"", "pacs_clip."}) {
    const Clip other = clip_open(open_ai_names(small_clip(), prefix));
    EXPECT_EQ(other.end_token(), 59);
    EXPECT_EQ(texts(other, batch), texts(clip, batch));
    EXPECT_EQ(images(other, pictures), images(clip, pictures));
  }
}

TEST(Clip, TokensBehindTheEndDoNotMatter) {
  const Clip clip = clip_open(small_clip());
  const std::vector<float> plain = texts(clip, token_batch({{58, 3, 4, 59}}));
  EXPECT_EQ(texts(clip, token_batch({{58, 3, 4, 59, 59, 59}})), plain);
  EXPECT_EQ(texts(clip, token_batch({{58, 3, 4, 59, 0, 0, 7}})), plain);
  EXPECT_NE(texts(clip, token_batch({{58, 4, 3, 59}})), plain);
}

TEST(Clip, ATextIsReadWhereItsConfigurationSays) {
  nlohmann::json config = small_clip_config();
  config["text_config"]["eos_token_id"] = 7;
  const Clip at_seven = clip_open(small_clip(), config);
  EXPECT_EQ(at_seven.end_token(), 7);
  config["text_config"]["eos_token_id"] = 2;  // of old configurations: the greatest number
  const Clip at_greatest = clip_open(small_clip(), config);
  EXPECT_EQ(at_greatest.end_token(), 59);
  const TokenBatch batch = token_batch({{58, 3, 7, 59, 2}});
  EXPECT_EQ(texts(at_seven, batch), texts(at_seven, token_batch({{58, 3, 7}})));
  EXPECT_EQ(texts(at_greatest, batch), texts(at_greatest, token_batch({{58, 3, 7, 59}})));
  EXPECT_NE(texts(at_seven, batch), texts(at_greatest, batch));
  EXPECT_NE(message_of<UsageError>([&] {
              texts(at_seven, token_batch({{58, 3, 59}}));
            }).find("no end token (7)"),
            std::string::npos);
}

TEST(Clip, AVectorDoesNotDependOnTheOthers) {
  const Clip clip = clip_open(small_clip());
  std::vector<std::vector<std::int32_t>> many;
  for (std::int32_t i = 0; i < 60; ++i) {
    many.push_back({58});
    for (std::int32_t t = 0; t < 3 + i % 16; ++t) many.back().push_back((7 * i + t) % 58);
    many.back().push_back(59);
  }
  const std::vector<float> all = texts(clip, token_batch(many));  // more than are computed together
  for (const std::size_t k : {0u, 31u, 59u}) {
    const std::vector<float> one = texts(clip, token_batch({many[k]}));
    EXPECT_TRUE(std::equal(one.begin(), one.end(), all.begin() + static_cast<std::ptrdiff_t>(k * 10))) << k;
  }
  const std::vector<float> pictures = pixels(53), together = images(clip, pictures);
  for (const std::size_t k : {0u, 52u}) {
    const auto begin = pictures.begin() + static_cast<std::ptrdiff_t>(k * 432);
    const std::vector<float> one = images(clip, {begin, begin + 432});
    EXPECT_TRUE(std::equal(one.begin(), one.end(), together.begin() + static_cast<std::ptrdiff_t>(k * 10)))
        << k;
  }
}

TEST(Clip, TheActivationComesFromTheConfiguration) {
  const TokenBatch batch = token_batch({{58, 3, 4, 59}});
  const auto with = [&](const nlohmann::json& config) {
    return texts(clip_open(small_clip(), config), batch);
  };
  nlohmann::json quick = small_clip_config(), exact = small_clip_config();
  exact["text_config"]["hidden_act"] = "gelu";
  const nlohmann::json heads = {{"width", 32}, {"heads", 2}, {"head_width", 16}};
  nlohmann::json open_clip = {{"model_cfg", {{"text_cfg", heads}, {"vision_cfg", heads}}}};
  EXPECT_NE(with(quick), with(exact));
  EXPECT_EQ(with(open_clip), with(exact));
  open_clip["model_cfg"]["quick_gelu"] = true;
  EXPECT_EQ(with(open_clip), with(quick));
}

TEST(Clip, GoesToOtherDevicesUnderOneSetOfNames) {
  const MemoryWeights weights = small_clip();
  for (const bool open_ai : {false, true}) {
    TempDir folder;
    const MemoryWeights given = open_ai ? open_ai_names(weights, "pacs_clip.") : weights;
    const ClipModel model =
        read_clip_model(ModelFolder(folder.write("model.safetensors", given.bytes()), small_clip_config()));
    EXPECT_EQ(model.arrays.size(), weights.names().size());
    for (const tensor::NetworkArray& array : model.arrays) {
      EXPECT_EQ(array.shape, weights.shape(array.name)) << array.name;
      EXPECT_EQ(array.values, weights.values(array.name)) << array.name;
    }
    EXPECT_EQ(model.end, 59);
    EXPECT_EQ(model.end_is_greatest, open_ai);
    EXPECT_EQ(model.text.heads, 2u);
    EXPECT_EQ(model.vision.activation, tensor::After::kQuickGelu);
  }
}

TEST(Clip, NamesWhatTheConfigurationMustTell) {
  for (const MemoryWeights& weights : {small_clip(), open_ai_names(small_clip())}) {
    const std::string empty = clip_message(weights, nlohmann::json::object());
    EXPECT_NE(
        empty.find("there is no configuration, or an empty one, to tell "
                   "'text_config.num_attention_heads', 'text_config.hidden_act', "
                   "'vision_config.num_attention_heads', 'vision_config.hidden_act', which the weights do "
                   "not show; expected the config.json"),
        std::string::npos)
        << empty;
    nlohmann::json config = small_clip_config();
    config["vision_config"].erase("num_attention_heads");
    EXPECT_NE(clip_message(weights, config).find("does not tell 'vision_config.num_attention_heads', which"),
              std::string::npos);
    config = small_clip_config();
    config["text_config"].erase("hidden_act");
    EXPECT_NE(clip_message(weights, config).find("does not tell 'text_config.hidden_act', which"),
              std::string::npos);
    config["hidden_act"] = "gelu";
    EXPECT_NO_THROW(clip_open(weights, config));
    config = {{"model_cfg", {{"text_cfg", {{"width", 32}}}, {"vision_cfg", {{"head_width", 16}}}}}};
    EXPECT_NE(clip_message(weights, config).find("does not tell 'model_cfg.text_cfg.heads', which"),
              std::string::npos);
    config["model_cfg"]["text_cfg"]["heads"] = 2;
    EXPECT_NO_THROW(clip_open(weights, config));
    config["model_cfg"]["vision_cfg"]["head_width"] = 24;
    EXPECT_NE(clip_message(weights, config)
                  .find("heads of 24 numbers ('model_cfg.vision_cfg.head_width') cannot "
                        "share a width of 32"),
              std::string::npos)
        << clip_message(weights, config);
  }
}

// Hugging Face's classes leave out of a configuration what they have anyway: that of CLIP ViT-B/32.
TEST(Clip, WhatAClassLeavesOutMustBeThatOfTheWeights) {
  nlohmann::json config = {{"model_type", "clip"}, {"text_config", {{"hidden_size", 32}}}};
  EXPECT_NE(clip_message(small_clip(), config)
                .find("the configuration has no 'text_config.num_hidden_layers', which "
                      "means 12, but the weights have 2 layers"),
            std::string::npos)
      << clip_message(small_clip(), config);
  config["text_config"]["num_hidden_layers"] = config["vision_config"]["num_hidden_layers"] = 2;
  EXPECT_NE(clip_message(small_clip(), config)
                .find("has no 'vision_config.num_attention_heads', which means 12, but "
                      "a width of 32 cannot be shared among 12 heads"),
            std::string::npos)
      << clip_message(small_clip(), config);
  config["vision_config"]["num_attention_heads"] = 8;
  EXPECT_NE(clip_message(small_clip(), config)
                .find("has no 'projection_dim', which means 512, but tensor "
                      "'text_projection.weight' has the shape [10, 32]"),
            std::string::npos)
      << clip_message(small_clip(), config);
}

TEST(Clip, RefusesConfigurationsOfOtherWeights) {
  const auto expect = [](const std::string& pointer, std::size_t value, const std::string& what) {
    nlohmann::json config = small_clip_config();
    config[nlohmann::json::json_pointer(pointer)] = value;
    const std::string found = clip_message(small_clip(), config);
    EXPECT_NE(found.find(fmt::format("' is {}, but {}", value, what)), std::string::npos)
        << pointer << ": " << found;
  };
  const std::string words = "tensor 'text_model.embeddings.token_embedding.weight' has ";
  const std::string patches =
      "tensor 'vision_model.embeddings.patch_embedding.weight' has the shape [32, 3, 4, 4]";
  expect("/projection_dim", 11, "tensor 'text_projection.weight' has the shape [10, 32]");
  expect("/text_config/hidden_size", 48, words + "the shape [60, 32]");
  expect("/text_config/vocab_size", 61, words + "the shape [60, 32]");
  expect("/text_config/eos_token_id", 60, words + "60 rows");
  expect("/text_config/max_position_embeddings", 77,
         "tensor 'text_model.embeddings.position_embedding.weight' has the shape [20, 32]");
  expect("/vision_config/hidden_size", 48, patches);
  expect("/vision_config/patch_size", 8, patches);
  expect("/vision_config/intermediate_size", 48,
         "tensor 'vision_model.encoder.layers.0.mlp.fc1.weight' has the shape [40, 32]");
  expect("/text_config/num_hidden_layers", 1,
         "the weights have 2 layers, the last of which is 'text_model.encoder.layers.1'");
  expect("/vision_config/num_hidden_layers", 3,
         "the weights have 2 layers, the last of which is 'vision_model.encoder.layers.1'");
  expect("/vision_config/num_attention_heads", 5, "a width of 32 cannot be shared among 5 heads");
}

TEST(Clip, RefusesOpenClipsConfigurationsOfOtherWeights) {
  const nlohmann::json heads = {{"heads", 2}, {"head_width", 16}};
  const nlohmann::json whole = {{"model_cfg", {{"text_cfg", heads}, {"vision_cfg", heads}}}};
  const MemoryWeights weights = open_ai_names(small_clip());
  for (const char* pointer :
       {"/model_cfg/embed_dim", "/model_cfg/text_cfg/width", "/model_cfg/text_cfg/vocab_size",
        "/model_cfg/text_cfg/context_length", "/model_cfg/text_cfg/layers", "/model_cfg/vision_cfg/width",
        "/model_cfg/vision_cfg/patch_size", "/model_cfg/vision_cfg/layers"}) {
    nlohmann::json config = whole;
    config[nlohmann::json::json_pointer(pointer)] = 7;
    EXPECT_NE(clip_message(weights, config).find("' is 7, but "), std::string::npos)
        << pointer << ": " << clip_message(weights, config);
  }
}

TEST(Clip, NamesWhatIsMissingOrHasAnotherShape) {
  for (const char* name : {"text_model.final_layer_norm.bias", "vision_model.encoder.layers.1.mlp.fc2.weight",
                           "text_projection.weight", "vision_model.embeddings.class_embedding",
                           "text_model.embeddings.token_embedding.weight"}) {
    MemoryWeights weights = small_clip();
    weights.erase(name);
    EXPECT_NE(clip_message(weights).find(std::string("'") + name + "'"), std::string::npos)
        << clip_message(weights);
    weights.set(name, {3}, {1, 2, 3});
    EXPECT_NE(clip_message(weights).find(std::string("'") + name + "'"), std::string::npos)
        << clip_message(weights);
  }
  EXPECT_NE(clip_message(MemoryWeights()).find("expected the weights of a CLIP"), std::string::npos);
}

TEST(Clip, RefusesPositionsThatAreNoSquare) {
  MemoryWeights weights = small_clip();
  weights.set("vision_model.embeddings.position_embedding.weight", {9, 32}, std::vector<float>(9 * 32));
  EXPECT_NE(clip_message(weights).find("has 9 rows, expected one more than a square number"),
            std::string::npos);
}

}  // namespace
}  // namespace capella::encoder
