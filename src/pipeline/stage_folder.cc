#include "pipeline/stage_folder.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/version.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json_text.h"

namespace capella::pipeline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kListFile = "stages.json";

std::string key_of(std::string_view settings, const std::vector<std::string>& inputs) {
  std::uint64_t hash = hash_combine(hash_bytes(kVersion), hash_bytes(settings));
  for (const std::string& input : inputs) hash = hash_combine(hash, hash_bytes(read_file_as_is(input)));
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string stamp_of_files(std::span<const std::string> files) {
  std::uint64_t hash = files.size();
  for (const std::string& file : files) {
    std::error_code size_error, time_error;
    const std::uint64_t size = fs::file_size(file, size_error);
    const auto changed = fs::last_write_time(file, time_error).time_since_epoch().count();
    hash = hash_combine(hash, size_error ? 0 : size + 1);
    hash = hash_combine(hash, time_error ? 0 : static_cast<std::uint64_t>(changed));
  }
  return fmt::format("{:016x}", hash);
}

StageFolder::StageFolder(std::string folder, std::string kind)
    : folder_(std::move(folder)), kind_(std::move(kind)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw FileError(fmt::format("{}: cannot be made: {}", folder_, error.message()));
  const std::string list = path(kListFile);
  if (!fs::exists(list, error)) {
    if (!fs::is_empty(folder_, error))
      throw UsageError(fmt::format("{}: holds files that no {} made; choose another folder", folder_, kind_));
    save();
    return;
  }
  std::string found;
  try {
    const Json json = Json::parse(read_file(list));
    found = json.at("kind").get<std::string>();
    for (const auto& [name, entry] : json.at("stages").items())
      entries_[name] = {entry.at("key").get<std::string>(), entry.at("words").get<std::string>()};
  } catch (const Json::exception&) {
    found.clear();
  }
  if (found != kind_)
    throw UsageError(fmt::format("{}: is no list of the stages of a {}; choose another folder", list, kind_));
}

std::string StageFolder::path(std::string_view name) const {
  return (fs::path(folder_) / name).string();
}

std::string StageFolder::run(std::string_view name, std::string_view settings,
                             const std::vector<std::string>& inputs, const std::function<std::string()>& work,
                             bool& reused) {
  const std::string key = key_of(settings, inputs);
  const auto found = entries_.find(name);
  std::error_code error;
  reused = found != entries_.end() && found->second.key == key && fs::is_regular_file(path(name), error);
  if (reused) return found->second.words;
  std::string words = work();
  entries_[std::string(name)] = {key, words};
  save();
  return words;
}

void StageFolder::forget(std::string_view name) {
  const auto found = entries_.find(name);
  if (found != entries_.end()) entries_.erase(found);
}

void StageFolder::save() const {
  Json stages = Json::object();
  for (const auto& [name, entry] : entries_) stages[name] = {{"key", entry.key}, {"words", entry.words}};
  write_file_atomically(path(kListFile), json_text(Json{{"kind", kind_}, {"stages", stages}}, 1) + "\n");
}

}  // namespace capella::pipeline
