// The files of an adapter's folder, as Hugging Face's PEFT writes them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "method/adapter_training/trainer.h"

namespace capella::method::adapter_training {

/// In how many bits numbers are written.
enum class Precision : std::uint8_t { half, full };

/// adapter_config.json. `base` is where the base lies, as seen from the folder, or its name; `facts` tell how
/// the adapter came to be: encoder::Adapter reads "base_fingerprint" and "pooling" of "recipe" among them.
std::string config_text(const Recipe& recipe, const std::string& base, const nlohmann::json& facts);

/// The recipe among these facts.
nlohmann::json recipe_facts(const Recipe& recipe);

/// Updates made `strength` times as large.
std::vector<NetworkArray> strengthened(std::vector<NetworkArray> arrays, double strength);

/// Arrays as a file of this precision has them. Throws DataError if a number does not fit.
std::vector<NetworkArray> rounded(std::vector<NetworkArray> arrays, Precision precision);

/// adapter_model.safetensors.
std::string arrays_bytes(std::span<const NetworkArray> arrays, Precision precision);

}  // namespace capella::method::adapter_training
