// A small adapter with random arrays, in a folder as PEFT writes it.
#pragma once

#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/memory_weights.h"
#include "support/temp_dir.h"

namespace capella::test {

/// As PEFT 0.21 writes it, in short.
inline nlohmann::json adapter_config(const std::string& base, std::size_t rank, double alpha) {
  return {{"alpha_pattern", nlohmann::json::object()},
          {"base_model_name_or_path", base},
          {"bias", "none"},
          {"eva_config", nullptr},
          {"fan_in_fan_out", false},
          {"inference_mode", true},
          {"init_lora_weights", true},
          {"lora_alpha", alpha},
          {"lora_dropout", 0.1},
          {"megatron_core", "megatron.core"},
          {"modules_to_save", nullptr},
          {"peft_type", "LORA"},
          {"peft_version", "0.21.2"},
          {"r", rank},
          {"rank_pattern", nlohmann::json::object()},
          {"target_modules", {"query", "dense"}},
          {"task_type", nullptr},
          {"use_dora", false},
          {"use_rslora", false}};
}

class SmallAdapter {
 public:
  static constexpr std::size_t kRank = 3;
  static constexpr double kAlpha = 6.0;

  /// Changes these matrices of `weights`, whose folder is `base`; names without ".weight". `root` stands
  /// before the arrays' names.
  SmallAdapter(const std::string& base, const MemoryWeights& weights, const std::vector<std::string>& modules,
               const std::string& root = "base_model.model.")
      : config(adapter_config(base, kRank, kAlpha)) {
    std::mt19937_64 random(17);
    for (const std::string& module : modules) {
      const tensor::Shape shape = weights.shape(module + ".weight");
      arrays.fill(root + module + ".lora_A.weight", {kRank, shape[1]}, random, 0.3f);
      arrays.fill(root + module + ".lora_B.weight", {shape[0], kRank}, random, 0.3f);
    }
    write();
  }

  std::string path() const { return folder.path().string(); }
  /// Again, after a change.
  void write() const {
    folder.write("adapter_config.json", config.dump(2));
    folder.write("adapter_model.safetensors", arrays.bytes());
  }

  TempDir folder;
  nlohmann::json config;
  MemoryWeights arrays;
};

/// All linear maps of the small BERT's layers, and its pooler.
inline std::vector<std::string> small_bert_modules(const std::string& prefix = "") {
  std::vector<std::string> all = {prefix + "pooler.dense"};
  for (const char* layer : {"encoder.layer.0.", "encoder.layer.1."}) {
    for (const char* name : {"attention.self.query", "attention.self.key", "attention.self.value",
                             "attention.output.dense", "intermediate.dense", "output.dense"})
      all.push_back(prefix + layer + name);
  }
  return all;
}

/// All linear maps of both towers of the small CLIP.
inline std::vector<std::string> small_clip_modules() {
  std::vector<std::string> all = {"visual_projection", "text_projection"};
  for (const char* tower : {"text_model.encoder.layers.", "vision_model.encoder.layers."}) {
    for (const char* layer : {"0.", "1."}) {
      for (const char* name : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
                               "self_attn.out_proj", "mlp.fc1", "mlp.fc2"})
        all.push_back(std::string(tower) + layer + name);
    }
  }
  return all;
}

}  // namespace capella::test
