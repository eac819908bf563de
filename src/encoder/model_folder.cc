#include "encoder/model_folder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "base/is_file.h"
#include "base/names.h"
#include "encoder/adapter.h"
#include "tensor/half.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kDeepest = 32;  // levels of a configuration
constexpr std::size_t kMostShards = 1000;

std::string shown(const json& value) {
  return value.is_primitive() ? excerpt(value.dump()) : value.is_array() ? "a list" : "an object";
}

// The files that an index names, in alphabetical order.
std::vector<std::string> shards(const fs::path& index) {
  const json parsed = read_model_object(index.string());
  const auto reject = [&](std::string_view what) {
    throw FileError(fmt::format("{}: {}, expected the name of a file for each tensor", index.string(), what));
  };
  const auto map = parsed.find("weight_map");
  if (map == parsed.end() || !map->is_object()) reject("there is no object 'weight_map'");
  std::set<std::string> names;
  for (const json& name : *map) {
    if (!name.is_string()) reject(fmt::format("'weight_map' has {}", shown(name)));
    names.insert(name.get<std::string>());
  }
  if (names.empty() || names.size() > kMostShards)
    reject(fmt::format("'weight_map' has {} files", names.size()));
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    if (fs::path(name).filename() != name) reject(fmt::format("'weight_map' has '{}'", excerpt(name)));
    paths.push_back((index.parent_path() / name).string());
  }
  return paths;
}

// Where the folder has weights, but in a format that only Python reads.
std::string conversion_advice(const fs::path& folder) {
  std::string found;
  std::error_code unknown;
  for (const auto& entry : fs::directory_iterator(folder, unknown)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".bin" && extension != ".pt" && extension != ".pth" && extension != ".ckpt") continue;
    const std::string name = entry.path().filename().string();
    if (found.empty() || name == "pytorch_model.bin" || (found != "pytorch_model.bin" && name < found))
      found = name;
  }
  if (found.empty()) return "";
  return fmt::format(
      "; there is {0}; convert it once: python3 -c \"import torch, safetensors.torch as s; "
      "s.save_file(torch.load('{0}', 'cpu', weights_only=True), 'model.safetensors')\"",
      found);
}

std::vector<std::string> weight_files(const fs::path& path) {
  if (is_file(path)) return {path.string()};
  std::error_code unknown;
  if (!fs::is_directory(path, unknown))
    throw FileError(fmt::format("{}: no such folder, expected a model with config.json and model.safetensors",
                                path.string()));
  if (is_file(path / "model.safetensors")) return {(path / "model.safetensors").string()};
  if (is_file(path / "model.safetensors.index.json")) return shards(path / "model.safetensors.index.json");
  if (is_file(path / "open_clip_model.safetensors")) return {(path / "open_clip_model.safetensors").string()};
  throw FileError(fmt::format("{}: the folder has no weights, expected model.safetensors{}", path.string(),
                              conversion_advice(path)));
}

// OpenCLIP's weights have OpenCLIP's configuration, which may lie beside that of Hugging Face.
std::optional<std::string> config_file(const fs::path& weights) {
  std::vector<std::string> names = {"config.json", "open_clip_config.json"};
  if (weights.filename().string().starts_with("open_clip")) std::swap(names[0], names[1]);
  for (const std::string& name : names) {
    if (is_file(weights.parent_path() / name)) return (weights.parent_path() / name).string();
  }
  return std::nullopt;
}

float from_brain(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::vector<float> widened(std::span<const std::byte> bytes, float (*widen)(std::uint16_t)) {
  std::vector<float> values(bytes.size() / sizeof(std::uint16_t));
  const auto* halves = reinterpret_cast<const std::uint16_t*>(bytes.data());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = widen(halves[i]);
  return values;
}

std::vector<float> floats_of(const tensor::Tensor& tensor) {
  if (tensor.type == tensor::Type::kF16) return widened(tensor.bytes, tensor::from_half);
  if (tensor.type == tensor::Type::kBF16) return widened(tensor.bytes, from_brain);
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

bool all_finite(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// Null if the folder has a model itself.
std::unique_ptr<Adapter> adapter_at(const std::string& path) {
  if (!Adapter::is_at(path)) return nullptr;
  for (const char* model :
       {"model.safetensors", "model.safetensors.index.json", "open_clip_model.safetensors"}) {
    if (is_file(fs::path(path) / model))
      throw FileError(
          fmt::format("{}: has both {} and an adapter (adapter_config.json or "
                      "adapter_model.safetensors), expected one of them",
                      path, model));
  }
  return std::make_unique<Adapter>(path);
}

}  // namespace

json read_model_object(const std::string& path) {
  json parsed = parse_model_json(read_file_as_is(path), path);
  if (!parsed.is_object()) throw FileError(fmt::format("{}: not a JSON object", path));
  return parsed;
}

json parse_model_json(std::string_view text, const std::string& path) {
  const auto watch = [&](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw FileError(fmt::format("{}: nested more than {} levels", path, kDeepest));
    return true;
  };
  return json::parse(text, watch, false);
}

ModelFolder::ModelFolder(const std::string& path)
    : given_(path),
      adapter_(adapter_at(path)),
      path_(adapter_ ? adapter_->base() : path),
      config_(std::make_unique<json>(json::object())) {
  const std::vector<std::string> paths = weight_files(path_);
  if (const auto file = config_file(paths.front())) *config_ = read_model_object(*file);
  for (const std::string& weights : paths) files_.push_back(std::make_unique<tensor::Safetensors>(weights));
  if (!adapter_) return;
  if (adapter_->told_base()) adapter_->expect_base(base_fingerprint());
  adapter_->find_matrices(*this);
}

ModelFolder::ModelFolder(const std::string& weights, json config)
    : given_(weights), path_(weights), config_(std::make_unique<json>(std::move(config))) {
  files_.push_back(std::make_unique<tensor::Safetensors>(weights));
}

ModelFolder::~ModelFolder() = default;

const json* ModelFolder::find(std::string_view key) const {
  const json* at = config_.get();
  for (const std::string_view member : split_list(key, '.')) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(member);
    if (found == at->end() || found->is_null()) return nullptr;
    at = &*found;
  }
  return at;
}

std::size_t ModelFolder::number(std::string_view key, std::optional<std::size_t> fallback,
                                std::size_t most) const {
  const json* found = find(key);
  if (!found && fallback) return *fallback;
  if (!found)
    reject(fmt::format("the configuration (config.json) has no '{}', expected a number from 1 to {}", key,
                       most));
  if (!found->is_number_integer() || *found < 1 || *found > most)
    reject(fmt::format("the configuration's '{}' is {}, expected a number from 1 to {}", key, shown(*found),
                       most));
  return found->get<std::size_t>();
}

double ModelFolder::real(std::string_view key, double fallback, double most) const {
  const json* found = find(key);
  if (!found) return fallback;
  const double value = found->is_number() ? found->get<double>() : std::nan("");
  if (!(value > 0 && value <= most))
    reject(fmt::format("the configuration's '{}' is {}, expected a number above 0 up to {}", key,
                       shown(*found), most));
  return value;
}

std::optional<std::string> ModelFolder::text(std::string_view key) const {
  const json* found = find(key);
  if (!found) return std::nullopt;
  if (!found->is_string())
    reject(fmt::format("the configuration's '{}' is {}, expected a text", key, shown(*found)));
  return found->get<std::string>();
}

std::optional<std::string> ModelFolder::metadata(std::string_view key) const {
  for (const auto& file : files_) {
    const auto found = file->metadata().find(key);
    if (found != file->metadata().end()) return found->second;
  }
  return std::nullopt;
}

bool ModelFolder::has(std::string_view name) const {
  return std::ranges::any_of(files_, [&](const auto& file) { return file->tensors().contains(name); });
}

std::optional<std::string> ModelFolder::prefix_of(std::string_view name) const {
  std::optional<std::string> shortest;
  for (const auto& file : files_) {
    for (const auto& tensor : file->tensors()) {
      if (!tensor.first.ends_with(name)) continue;
      const std::string prefix = tensor.first.substr(0, tensor.first.size() - name.size());
      if (!prefix.empty() && prefix.back() != '.') continue;
      if (!shortest || prefix.size() < shortest->size()) shortest = prefix;
    }
  }
  return shortest;
}

std::vector<std::string> ModelFolder::names() const {
  std::set<std::string> all;
  for (const auto& file : files_) {
    for (const auto& tensor : file->tensors()) all.insert(tensor.first);
  }
  return {all.begin(), all.end()};
}

const tensor::Tensor& ModelFolder::tensor(std::string_view name) const {
  for (const auto& file : files_) {
    const auto found = file->tensors().find(name);
    if (found != file->tensors().end()) return found->second;
  }
  reject(fmt::format(
      "there is no tensor '{}'; is this another kind of model, or are the weights not complete?", name));
}

tensor::Shape ModelFolder::shape(std::string_view name) const {
  return tensor(name).shape;
}

tensor::Shape ModelFolder::matrix_shape(std::string_view name) const {
  tensor::Shape found = shape(name);
  if (found.size() != 2 || found[0] == 0 || found[1] == 0)
    reject(fmt::format("tensor '{}' has the shape [{}], expected a matrix", name, fmt::join(found, ", ")));
  return found;
}

std::vector<float> ModelFolder::floats(std::string_view name, const tensor::Shape& shape) const {
  const tensor::Tensor& found = tensor(name);
  if (found.shape != shape)
    reject(fmt::format("tensor '{}' has the shape [{}], expected [{}]", name, fmt::join(found.shape, ", "),
                       fmt::join(shape, ", ")));
  std::vector<float> values = stored_floats(found, name);
  if (!adapter_ || !adapter_->changes(name)) return values;
  adapter_->add_to(name, values);
  if (!all_finite(values))
    reject(fmt::format("tensor '{}' has a number that is not finite once {} is added", name, given_));
  return values;
}

std::vector<float> ModelFolder::stored_floats(const tensor::Tensor& tensor, std::string_view name) const {
  if (tensor.type != tensor::Type::kF32 && tensor.type != tensor::Type::kF16 &&
      tensor.type != tensor::Type::kBF16)
    reject(fmt::format("tensor '{}' has the type {}, expected F32, F16 or BF16", name,
                       tensor::type_name(tensor.type)));
  std::vector<float> values = floats_of(tensor);
  if (!all_finite(values)) reject(fmt::format("tensor '{}' has a number that is not finite", name));
  return values;
}

std::optional<std::string> ModelFolder::file(std::string_view name) const {
  const fs::path path = path_;
  std::error_code unknown;
  const fs::path beside = (fs::is_directory(path, unknown) ? path : path.parent_path()) / name;
  if (!is_file(beside)) return std::nullopt;
  return beside.string();
}

}  // namespace capella::encoder
