#include "encoder/adapter.h"

#include <algorithm>
#include <bit>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/hash.h"
#include "base/is_file.h"
#include "base/names.h"
#include "encoder/adapter_config.h"
#include "encoder/adapter_names.h"
#include "encoder/file_hash.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kConfigFile = "adapter_config.json";
constexpr const char* kArraysFile = "adapter_model.safetensors";
constexpr std::string_view kOwn = "capella.";
constexpr std::string_view kFirst = ".lora_A.weight", kSecond = ".lora_B.weight", kMatrix = ".weight";

ModelFolder arrays_in(const fs::path& folder) {
  for (const char* needed : {kConfigFile, kArraysFile}) {
    if (!is_file(folder / needed))
      throw FileError(fmt::format(
          "{}: is not there, expected an adapter as PEFT writes it, {} and {}{}", (folder / needed).string(),
          kConfigFile, kArraysFile,
          is_file(folder / "adapter_model.bin") ? " (not adapter_model.bin: safe_serialization=True)" : ""));
  }
  return {(folder / kArraysFile).string(), read_model_object((folder / kConfigFile).string())};
}

bool ends_with_part(std::string_view name, std::string_view part) {
  return name.ends_with(part) && (name.size() == part.size() || name[name.size() - part.size() - 1] == '.');
}

}  // namespace

bool Adapter::is_at(const std::string& folder) {
  return is_file(fs::path(folder) / kConfigFile) || is_file(fs::path(folder) / kArraysFile);
}

Adapter::Adapter(const std::string& folder) : arrays_(arrays_in(folder)) {
  const AdapterConfig config = read_adapter_config(arrays_);
  rank_ = config.rank;
  scale_ = config.scale;
  for (const std::string& name : arrays_.names()) {
    if (name.starts_with(kOwn)) continue;
    const bool first = name.ends_with(kFirst);
    if (!first && !name.ends_with(kSecond))
      arrays_.reject(
          fmt::format("has an array '{}', expected those of plain LoRA, *{} and *{}", name, kFirst, kSecond));
    const std::string root = name.substr(0, name.size() - kFirst.size());
    const std::string other = root + std::string(first ? kSecond : kFirst);
    if (!arrays_.has(other)) arrays_.reject(fmt::format("there is '{}' but no '{}'", name, other));
    const auto known =
        modules_.emplace(root.starts_with(kAdapterRoot) ? root.substr(kAdapterRoot.size()) : root, root)
            .first;
    if (known->second != root)
      arrays_.reject(fmt::format("has updates '{}' and '{}' of the same matrix", known->second, root));
  }
  if (modules_.empty()) arrays_.reject("has no updates, expected arrays such as *.lora_A.weight");
  base_ = find_base(arrays_, folder);
  if (is_at(base_))
    arrays_.reject(fmt::format("changes {}, which is an adapter itself, expected a model", base_));
}

void Adapter::expect_base(const std::string& fingerprint) const {
  const std::optional<std::string> told = told_base();
  if (!told || *told == fingerprint) return;
  arrays_.reject(
      fmt::format("was learnt on a model with the fingerprint {}, but {} has {}; expected the model that it "
                  "was learnt on",
                  excerpt(*told), base_, fingerprint));
}

std::uint64_t Adapter::hash() const {
  const std::uint64_t updates = hash_combine(std::bit_cast<std::uint64_t>(scale_), hash_file(arrays_.path()));
  const auto pooling = told_pooling();
  return pooling ? hash_combine(updates, hash_bytes(*pooling)) : updates;
}

// A matrix that is called like the module, else the one whose name has more or less in front.
std::string Adapter::matrix_of(const std::string& module, const std::vector<std::string>& names,
                               const ModelFolder& base) const {
  const std::string own = module + std::string(kMatrix);
  if (base.has(own)) return own;
  std::string found;
  for (const std::string& name : names) {
    if (!name.ends_with(kMatrix) || (!ends_with_part(name, own) && !ends_with_part(own, name))) continue;
    if (!found.empty())
      arrays_.reject(fmt::format("changes '{}', which may be '{}' or '{}' of {}; expected whole names",
                                 module, found, name, base.path()));
    found = name;
  }
  if (found.empty())
    arrays_.reject(fmt::format("changes '{}', which {} does not have; is it an adapter of another model?",
                               module, base.path()));
  return found;
}

void Adapter::expect_shapes(const std::string& root, const std::string& matrix,
                            const ModelFolder& base) const {
  const tensor::Shape whole = base.shape(matrix);
  if (whole.size() != 2)
    arrays_.reject(fmt::format("changes '{}', but '{}' of {} has the shape [{}], expected a matrix", root,
                               matrix, base.path(), fmt::join(whole, ", ")));
  const auto expect = [&](std::string_view which, const tensor::Shape& expected) {
    const std::string name = root + std::string(which);
    const tensor::Shape shape = arrays_.shape(name);
    if (shape == expected) return;
    arrays_.reject(
        fmt::format("array '{}' has the shape [{}], expected [{}]: the rank is {} ('r'), and '{}' of {} has "
                    "the shape [{}]",
                    name, fmt::join(shape, ", "), fmt::join(expected, ", "), rank_, matrix, base.path(),
                    fmt::join(whole, ", ")));
  };
  expect(kFirst, {rank_, whole[1]});
  expect(kSecond, {whole[0], rank_});
}

void Adapter::find_matrices(const ModelFolder& base) {
  const std::vector<std::string> names = base.names();
  for (const auto& [module, root] : modules_) {
    const std::string matrix = matrix_of(module, names, base);
    expect_shapes(root, matrix, base);
    const auto [known, is_new] = matrices_.emplace(matrix, root);
    if (!is_new)
      arrays_.reject(fmt::format("has updates '{}' and '{}' of the same matrix '{}' of {}", known->second,
                                 root, matrix, base.path()));
  }
}

void Adapter::add_to(std::string_view name, std::vector<float>& values) const {
  const std::string& root = matrices_.find(name)->second;
  const std::string first_name = root + std::string(kFirst), second_name = root + std::string(kSecond);
  const std::vector<float> first = arrays_.floats(first_name, arrays_.shape(first_name));
  const std::vector<float> second = arrays_.floats(second_name, arrays_.shape(second_name));
  const std::size_t columns = first.size() / rank_, rows = second.size() / rank_;
  std::vector<double> row(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    std::ranges::fill(row, 0.0);
    for (std::size_t k = 0; k < rank_; ++k) {
      const auto factor = static_cast<double>(second[i * rank_ + k]);
      for (std::size_t j = 0; j < columns; ++j)
        row[j] += factor * static_cast<double>(first[k * columns + j]);
    }
    for (std::size_t j = 0; j < columns; ++j) {
      float& value = values[i * columns + j];
      value = static_cast<float>(static_cast<double>(value) + scale_ * row[j]);
    }
  }
}

}  // namespace capella::encoder
