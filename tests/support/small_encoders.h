// Small encoders with random weights, under the names that files have for them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "encoder/token_batch.h"
#include "support/memory_weights.h"

namespace capella::test {

inline constexpr std::size_t kSmallWidth = 32;

inline void fill_bert_layer(MemoryWeights& weights, const std::string& layer, std::mt19937_64& random) {
  for (const char* name :
       {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"})
    weights.fill_linear(layer + name, kSmallWidth, kSmallWidth, random);
  weights.fill_norm(layer + "attention.output.LayerNorm", kSmallWidth, random);
  weights.fill_linear(layer + "intermediate.dense", 40, kSmallWidth, random);
  weights.fill_linear(layer + "output.dense", kSmallWidth, 40, random);
  weights.fill_norm(layer + "output.LayerNorm", kSmallWidth, random);
}

/// 60 tokens, 20 positions.
inline MemoryWeights small_bert(const std::string& prefix = "", std::size_t layers = 2) {
  MemoryWeights weights;
  std::mt19937_64 random(7);
  const std::string tables = prefix + "embeddings.";
  weights.fill(tables + "word_embeddings.weight", {60, kSmallWidth}, random, 1.0f);
  weights.fill(tables + "position_embeddings.weight", {20, kSmallWidth}, random, 1.0f);
  weights.fill(tables + "token_type_embeddings.weight", {2, kSmallWidth}, random, 1.0f);
  weights.fill_norm(tables + "LayerNorm", kSmallWidth, random);
  for (std::size_t layer = 0; layer < layers; ++layer)
    fill_bert_layer(weights, prefix + "encoder.layer." + std::to_string(layer) + ".", random);
  weights.fill_linear(prefix + "pooler.dense", kSmallWidth, kSmallWidth, random);
  return weights;
}

inline nlohmann::json small_bert_config(const char* kind = "bert", std::size_t layers = 2) {
  return {{"model_type", kind},       {"hidden_size", kSmallWidth}, {"num_hidden_layers", layers},
          {"num_attention_heads", 4}, {"intermediate_size", 40},    {"hidden_act", "gelu"},
          {"layer_norm_eps", 1e-5},   {"pad_token_id", 1}};
}

inline void fill_clip_tower(MemoryWeights& weights, const std::string& tower, std::mt19937_64& random) {
  for (const char* number : {"0.", "1."}) {
    const std::string layer = tower + number;
    for (const char* name :
         {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj"})
      weights.fill_linear(layer + name, kSmallWidth, kSmallWidth, random);
    weights.fill_norm(layer + "layer_norm1", kSmallWidth, random);
    weights.fill_norm(layer + "layer_norm2", kSmallWidth, random);
    weights.fill_linear(layer + "mlp.fc1", 40, kSmallWidth, random);
    weights.fill_linear(layer + "mlp.fc2", kSmallWidth, 40, random);
  }
}

/// Two layers in each tower, pictures of 12 x 12 in patches of 4, 60 tokens, 20 positions, vectors of 10.
inline MemoryWeights small_clip() {
  MemoryWeights weights;
  std::mt19937_64 random(11);
  weights.fill("text_model.embeddings.token_embedding.weight", {60, kSmallWidth}, random, 1.0f);
  weights.fill("text_model.embeddings.position_embedding.weight", {20, kSmallWidth}, random, 1.0f);
  fill_clip_tower(weights, "text_model.encoder.layers.", random);
  weights.fill_norm("text_model.final_layer_norm", kSmallWidth, random);
  weights.fill("text_projection.weight", {10, kSmallWidth}, random, 0.5f);
  weights.fill("vision_model.embeddings.class_embedding", {kSmallWidth}, random, 1.0f);
  weights.fill("vision_model.embeddings.patch_embedding.weight", {kSmallWidth, 3, 4, 4}, random, 0.3f);
  weights.fill("vision_model.embeddings.position_embedding.weight", {10, kSmallWidth}, random, 1.0f);
  weights.fill_norm("vision_model.pre_layrnorm", kSmallWidth, random);
  fill_clip_tower(weights, "vision_model.encoder.layers.", random);
  weights.fill_norm("vision_model.post_layernorm", kSmallWidth, random);
  weights.fill("visual_projection.weight", {10, kSmallWidth}, random, 0.5f);
  return weights;
}

inline nlohmann::json small_clip_config() {
  return {{"text_config", {{"num_attention_heads", 2}, {"eos_token_id", 59}, {"hidden_act", "quick_gelu"}}},
          {"vision_config", {{"num_attention_heads", 2}, {"hidden_act", "quick_gelu"}}}};
}

inline encoder::TokenBatch token_batch(const std::vector<std::vector<std::int32_t>>& sequences) {
  encoder::TokenBatch batch;
  for (const auto& sequence : sequences) batch.add(sequence);
  return batch;
}

}  // namespace capella::test
