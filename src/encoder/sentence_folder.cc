#include "encoder/sentence_folder.h"

#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "encoder/adapter.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kModules = "modules.json";
constexpr std::string_view kOptions = "sentence_bert_config.json";

// A JSON file of the folder; null if it is not there.
Json read_json(const ModelFolder& folder, std::string_view name) {
  const auto path = folder.file(name);
  if (!path) return nullptr;
  Json parsed = parse_model_json(read_file(*path), *path);
  if (parsed.is_discarded())
    throw FileError(fmt::format("{}: no JSON; fetch the model's files again", *path));
  return parsed;
}

[[noreturn]] void reject(const ModelFolder& folder, std::string_view file, std::string_view what) {
  throw FileError(fmt::format("{}: {}", folder.file(file).value_or(std::string(file)), what));
}

bool flag(const Json& object, const char* name) {
  return object.is_object() && object.contains(name) && object.at(name) == true;
}

std::string text(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// Exactly one of the ways must be chosen, and be one of ours.
Pooling read_pooling(const ModelFolder& folder, const std::string& file) {
  const Json config = read_json(folder, file);
  if (!config.is_object()) reject(folder, file, "expected an object that says how tokens are pooled");
  if (const std::string mode = text(config, "pooling_mode"); mode == "mean" || mode == "cls")
    return mode == "mean" ? Pooling::mean : Pooling::first;
  std::vector<std::string> modes;
  for (const auto& [key, value] : config.items()) {
    if (key.starts_with("pooling_mode_") && value == true) modes.push_back(key);
  }
  if (modes.size() == 1 && modes[0] == "pooling_mode_mean_tokens") return Pooling::mean;
  if (modes.size() == 1 && modes[0] == "pooling_mode_cls_token") return Pooling::first;
  reject(folder, file,
         fmt::format(
             "tokens are pooled by {}, expected pooling_mode_mean_tokens or pooling_mode_cls_token alone",
             modes.empty() ? "nothing" : modes.front()));
}

// The class's own name, "Pooling" of "sentence_transformers.models.Pooling".
std::string class_name(const Json& module) {
  const std::string type = text(module, "type");
  return type.substr(type.rfind('.') + 1);
}

std::string config_of(const Json& module) {
  return text(module, "path") + "/config.json";
}

// "roberta-large" of "FacebookAI/roberta-large" and of "models--FacebookAI--roberta-large".
std::string own_name(const fs::path& path) {
  const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
  const std::size_t dashes = name.starts_with("models--") ? name.rfind("--") : std::string::npos;
  return dashes == std::string::npos ? name : name.substr(dashes + 2);
}

void read_modules(const ModelFolder& folder, SentenceOptions& options) {
  const Json modules = read_json(folder, kModules);
  if (modules.is_null()) return;
  if (!modules.is_array()) reject(folder, kModules, "expected a list of modules");
  for (const Json& module : modules) {
    const std::string kind = class_name(module);
    if (kind == "Pooling")
      options.pooling = read_pooling(folder, config_of(module));
    else if (kind == "Normalize")
      options.normalizes = true;
    else if (kind != "Transformer")
      reject(
          folder, kModules,
          fmt::format("has a module '{}', expected Transformer, Pooling and Normalize alone", excerpt(kind)));
  }
}

// An adapter knows what it was learnt with.
void read_adapter(const ModelFolder& folder, SentenceOptions& options) {
  const auto pooling = folder.has_adapter() ? folder.adapter()->told_pooling() : std::nullopt;
  if (!pooling) return;
  if (*pooling != "mean" && *pooling != "first")
    folder.reject(fmt::format("its adapter pools tokens by '{}', expected mean or first", excerpt(*pooling)));
  options.pooling = *pooling == "first" ? Pooling::first : Pooling::mean;
}

}  // namespace

SentenceOptions read_sentence_options(const ModelFolder& folder) {
  SentenceOptions options;
  read_modules(folder, options);
  read_adapter(folder, options);
  const Json config = read_json(folder, kOptions);
  options.lowers = flag(config, "do_lower_case");
  if (config.is_object() && config.contains("max_seq_length") && !config.at("max_seq_length").is_null()) {
    const Json& most = config.at("max_seq_length");
    if (!most.is_number_integer() || most.get<std::int64_t>() < 3 || most.get<std::int64_t>() > 1 << 20)
      reject(folder, kOptions, "max_seq_length is no number of tokens");
    options.most_tokens = most.get<std::size_t>();
  }
  return options;
}

std::vector<std::string> sentence_files(const ModelFolder& folder) {
  std::vector<std::string> names = {std::string(kModules), std::string(kOptions)};
  const auto path = folder.file(kModules);
  const Json modules = path ? parse_model_json(read_file(*path), *path) : Json();
  if (!modules.is_array()) return names;
  for (const Json& module : modules) {
    if (class_name(module) == "Pooling") names.push_back(config_of(module));
  }
  return names;
}

// A folder of Hugging Face's cache is called by a hash and lies in models--NAME/snapshots. An adapter makes
// another model of its base.
std::vector<std::string> model_names(const ModelFolder& folder) {
  if (folder.has_adapter()) return {own_name(folder.given())};
  std::vector<std::string> names;
  if (const Json* told = folder.find("_name_or_path"); told != nullptr && told->is_string())
    names.push_back(own_name(told->get<std::string>()));
  const fs::path path = fs::path(folder.path()).lexically_normal();
  const fs::path above = (path.has_filename() ? path : path.parent_path()).parent_path();
  names.push_back(own_name(above.filename() == "snapshots" ? above.parent_path() : path));
  return names;
}

}  // namespace capella::encoder
