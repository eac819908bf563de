#include "scene/fact_cache.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/cache_folder.h"
#include "base/hash.h"

namespace capella::scene {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKind = "caption-facts";
constexpr std::uint32_t kFormat = 1;
// To be raised whenever lemmas, rules or sentences change within a version of Capella; fact_rules_test.cc
// notices most such changes.
constexpr std::uint64_t kRules = 2;

constexpr std::string_view kRemedy = "it is left aside and made anew";

std::uint64_t fingerprint_of(std::uint64_t model) {
  return hash_combine(hash_combine(model, hash_bytes(kVersion)), kRules);
}

template <class T>
std::string raw_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// `entries` ascend and have each key once.
void write_table(const std::string& path, std::uint64_t fingerprint, const FactEntries& entries) {
  std::vector<TextKey> keys;
  std::vector<std::uint64_t> ends;
  std::string bytes;
  for (const auto& [key, facts] : entries) {
    keys.push_back(key);
    bytes += facts;
    ends.push_back(bytes.size());
  }
  const resource::Section sections[] = {{"model", raw_bytes(std::vector{fingerprint})},
                                        {"keys", raw_bytes(keys)},
                                        {"ends", raw_bytes(ends)},
                                        {"bytes", std::move(bytes)}};
  resource::write_section_file(path, kKind, kFormat, sections);
}

}  // namespace

TextKey text_key(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.high64, hash.low64};
}

FactCache::Table::Table(const std::string& path, std::uint64_t fingerprint)
    : file(path, kKind, kFormat, std::string(kRemedy)) {
  file.check_content();
  const auto model = file.section<std::uint64_t>("model");
  if (model.size() != 1 || model[0] != fingerprint) file.reject("it belongs to another model");
  keys = file.section<TextKey>("keys");
  ends = file.section<std::uint64_t>("ends");
  bytes = file.section<char>("bytes");
  const bool fits = keys.size() == ends.size() && std::ranges::is_sorted(keys) &&
                    std::ranges::is_sorted(ends) && (ends.empty() ? 0 : ends.back()) == bytes.size();
  if (!fits) file.reject("its parts do not fit together");
}

std::string_view FactCache::Table::bytes_of(std::size_t entry) const {
  const std::size_t begin = entry == 0 ? 0 : ends[entry - 1];
  return {bytes.data() + begin, ends[entry] - begin};
}

FactCache::FactCache(const std::string& folder, std::uint64_t model) : fingerprint_(fingerprint_of(model)) {
  make_cache_folder(folder);
  path_ = (fs::path(folder) / fmt::format("captions-{:016x}.facts", fingerprint_)).string();
  table_ = open(problem_);
}

std::unique_ptr<const FactCache::Table> FactCache::open(std::string& problem) const {
  std::error_code error;
  if (!fs::exists(path_, error)) return nullptr;
  try {
    return std::make_unique<const Table>(path_, fingerprint_);
  } catch (const FileError& found) {
    problem = found.what();
    return nullptr;
  }
}

std::optional<std::string_view> FactCache::find(TextKey key) const {
  if (table_ == nullptr) return std::nullopt;
  const auto place = std::ranges::lower_bound(table_->keys, key);
  if (place == table_->keys.end() || *place != key) return std::nullopt;
  return table_->bytes_of(static_cast<std::size_t>(place - table_->keys.begin()));
}

void FactCache::add(FactEntries entries) const {
  const FileLock lock(path_ + ".lock");
  std::string ignored;
  if (const auto now = open(ignored)) {
    for (std::size_t i = 0; i < now->keys.size(); ++i) entries.emplace_back(now->keys[i], now->bytes_of(i));
  }
  const auto by_key = [](const auto& entry) { return entry.first; };
  std::ranges::sort(entries, {}, by_key);
  const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
  entries.erase(std::unique(entries.begin(), entries.end(), same_key), entries.end());
  write_table(path_, fingerprint_, entries);
}

}  // namespace capella::scene
