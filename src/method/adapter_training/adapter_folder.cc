#include "method/adapter_training/adapter_folder.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/json_text.h"
#include "method/network_file.h"
#include "tensor/half.h"
#include "tensor/safetensors.h"

namespace capella::method::adapter_training {
namespace {

using nlohmann::json;

// What PEFT looks for at the end of modules' names. "output.dense" is that of attention, too; the pooler's
// "dense" is none of them.
constexpr const char* kTargets[] = {"query", "key", "value", "intermediate.dense", "output.dense"};

}  // namespace

std::string config_text(const Recipe& recipe, const std::string& base, const json& facts) {
  const json config = {{"peft_type", "LORA"},
                       {"task_type", "FEATURE_EXTRACTION"},
                       {"base_model_name_or_path", base},
                       {"r", recipe.rank},
                       {"lora_alpha", recipe.alpha},
                       {"lora_dropout", 0.0},
                       {"target_modules", kTargets},
                       {"bias", "none"},
                       {"fan_in_fan_out", false},
                       {"inference_mode", true},
                       {"init_lora_weights", true},
                       {"modules_to_save", nullptr},
                       {"use_rslora", false},
                       {"use_dora", false},
                       {"capella", facts}};
  return json_text(config, 2) + "\n";
}

json recipe_facts(const Recipe& recipe) {
  return {{"pooling", kReadingNames[static_cast<std::size_t>(recipe.reading)]},
          {"numbers", kNumbersNames[static_cast<std::size_t>(recipe.numbers)]},
          {"batch", recipe.batch},
          {"references", recipe.references},
          {"loss", "candidates find images"},
          {"temperature", recipe.temperature},
          {"rated_batch", recipe.rated_batch},
          {"rated_weight", recipe.rated_weight},
          {"steps", recipe.total_steps},
          {"warm_up", recipe.warm_up},
          {"rate", recipe.rate},
          {"weight_decay", recipe.weight_decay},
          {"most_gradient", recipe.most_gradient},
          {"adam", {recipe.mean_decay, recipe.square_decay, recipe.epsilon}}};
}

std::vector<NetworkArray> strengthened(std::vector<NetworkArray> arrays, double strength) {
  for (NetworkArray& array : arrays) {
    if (!array.name.ends_with(".lora_B.weight")) continue;
    for (float& value : array.values) value *= static_cast<float>(strength);
  }
  return arrays;
}

std::vector<NetworkArray> rounded(std::vector<NetworkArray> arrays, Precision precision) {
  for (NetworkArray& array : arrays) {
    for (float& value : array.values) {
      if (precision == Precision::half) value = tensor::from_half(tensor::to_half(value));
      if (!std::isfinite(value))
        throw DataError(fmt::format(
            "training went astray: '{}' has a number that is not finite or too large for the file; give a "
            "smaller --rate",
            array.name));
    }
  }
  return arrays;
}

std::string arrays_bytes(std::span<const NetworkArray> arrays, Precision precision) {
  const tensor::Metadata metadata = {{"format", "pt"}};
  if (precision == Precision::full) return network_file_bytes(arrays, metadata);
  std::vector<tensor::NamedTensor> tensors;
  for (const NetworkArray& array : arrays) {
    std::vector<std::uint16_t> halves;
    for (const float value : array.values) halves.push_back(tensor::to_half(value));
    tensors.push_back({array.name,
                       tensor::Type::kF16,
                       array.shape,
                       {reinterpret_cast<const char*>(halves.data()), halves.size() * sizeof(halves[0])}});
  }
  return tensor::safetensors_bytes(tensors, metadata);
}

}  // namespace capella::method::adapter_training
