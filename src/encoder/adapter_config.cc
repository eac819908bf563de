#include "encoder/adapter_config.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/names.h"
#include "resource/packages.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kBase = "base_model_name_or_path";

// What is read here, and what is only of interest to training or tells what the arrays' names tell, too.
constexpr std::string_view kKnown[] = {"peft_type",
                                       "r",
                                       "lora_alpha",
                                       "use_rslora",
                                       kBase,
                                       "bias",
                                       "init_lora_weights",
                                       "auto_mapping",
                                       "corda_config",
                                       "ensure_weight_tying",
                                       "eva_config",
                                       "exclude_modules",
                                       "inference_mode",
                                       "layers_pattern",
                                       "layers_to_transform",
                                       "loftq_config",
                                       "lora_dropout",
                                       "lora_ga_config",
                                       "megatron_core",
                                       "peft_version",
                                       "qalora_group_size",
                                       "revision",
                                       "runtime_config",
                                       "target_modules",
                                       "task_type"};

bool is_set(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.is_null() && (value.is_primitive() || !value.empty());
}

// Ways to begin a training; others change the base, too, which is not in the adapter's file.
void expect_plain_beginning(const ModelFolder& adapter) {
  const json* found = adapter.find("init_lora_weights");
  if (found == nullptr || found->is_boolean()) return;
  const std::string way = found->is_string() ? found->get<std::string>() : "no text";
  constexpr std::string_view kPlain[] = {"gaussian", "eva", "orthogonal", "mica"};
  if (std::ranges::find(kPlain, way) != std::end(kPlain)) return;
  adapter.reject(fmt::format(
      "adapter_config.json has 'init_lora_weights' {}, which may have changed the base; expected an "
      "adapter that was converted to a plain one when it was saved",
      excerpt(way)));
}

void refuse_other_kinds(const ModelFolder& adapter) {
  const std::string kind = adapter.text("peft_type").value_or("nothing");
  if (kind != "LORA")
    adapter.reject(fmt::format("adapter_config.json has 'peft_type' {}, expected LORA", excerpt(kind)));
  const std::string bias = adapter.text("bias").value_or("none");
  if (bias != "none")
    adapter.reject(fmt::format("adapter_config.json has 'bias' {}, expected none", excerpt(bias)));
  for (const auto& [key, value] : adapter.config().items()) {
    if (!is_set(value) || key.starts_with("capella")) continue;
    if (std::ranges::find(kKnown, key) == std::end(kKnown))
      adapter.reject(
          fmt::format("adapter_config.json has '{}', which is not done here; expected plain LoRA, W + s B A",
                      excerpt(key)));
  }
  expect_plain_beginning(adapter);
}

}  // namespace

AdapterConfig read_adapter_config(const ModelFolder& adapter) {
  refuse_other_kinds(adapter);
  constexpr double kMostAlpha = 1e6;
  AdapterConfig config;
  for (const char* key : {"r", "lora_alpha"}) {
    if (!adapter.find(key))
      adapter.reject(fmt::format("adapter_config.json has no '{}', expected a number", key));
  }
  config.rank = adapter.number("r");
  const auto rank = static_cast<double>(config.rank);
  const json* root = adapter.find("use_rslora");
  config.scale =
      adapter.real("lora_alpha", rank, kMostAlpha) / (root && is_set(*root) ? std::sqrt(rank) : rank);
  return config;
}

std::string find_base(const ModelFolder& adapter, const std::string& folder) {
  const std::string name = adapter.text(kBase).value_or("");
  if (name.empty())
    adapter.reject(fmt::format(
        "adapter_config.json has no '{}', expected the folder or the name of the model that it changes",
        kBase));
  const fs::path place = fs::path(folder) / name;
  std::error_code unknown;
  if (fs::exists(place, unknown)) return place.string();
  if (const resource::Package* package = resource::package_of_model(name)) {
    if (const std::string problem = resource::problem_with(*package, false); !problem.empty())
      adapter.reject(fmt::format("changes the model {}: {}", name, problem));
    return *resource::find_installed(*package);
  }
  adapter.reject(
      fmt::format("changes the model '{}' ('{}' of adapter_config.json), but there is no folder {}, nor does "
                  "capella data "
                  "get know it; write there where the model lies, as seen from the adapter's folder",
                  excerpt(name), kBase, excerpt(place.string())));
}

}  // namespace capella::encoder
