// What a model is called by: its content, so that a copy has the same name and nothing that changes a vector
// goes unnoticed.
#include <algorithm>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/hash.h"
#include "encoder/adapter.h"
#include "encoder/file_hash.h"
#include "encoder/model_folder.h"
#include "encoder/sentence_folder.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;

// What tokenizers and the preparation of pictures read beside the weights.
constexpr std::string_view kOtherFiles[] = {"tokenizer.json",
                                            "tokenizer_config.json",
                                            "vocab.txt",
                                            "vocab.json",
                                            "merges.txt",
                                            "bpe_simple_vocab_16e6.txt.gz",
                                            "bpe_simple_vocab_16e6.txt",
                                            "preprocessor_config.json",
                                            "open_clip_config.json"};

// The folder's name, with "_" for what would not fit into a signature.
std::string folder_name(const std::string& path) {
  const fs::path given(path);
  std::string own = (given.has_filename() ? given : given.parent_path()).filename().string();
  const auto fits = [](char c) {
    const char lower = lower_ascii(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  };
  std::ranges::replace_if(own, std::not_fn(fits), '_');
  return own;
}

std::string text_of(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::uint64_t ModelFolder::hash_of_files() const {
  std::uint64_t hash = hash_bytes(config_->dump());
  for (const auto& weights : files_) hash = hash_combine(hash, hash_file(weights->path()));
  std::vector<std::string> others(std::begin(kOtherFiles), std::end(kOtherFiles));
  for (std::string& name : sentence_files(*this)) others.push_back(std::move(name));
  for (const std::string& name : others) {
    const auto path = file(name);
    hash = hash_combine(hash, path.has_value());
    if (path) hash = hash_combine(hash, hash_file(*path));
  }
  return hash;
}

std::string ModelFolder::base_fingerprint() const {
  return text_of(hash_of_files());
}

std::string ModelFolder::make_fingerprint() const {
  const std::uint64_t hash = hash_of_files();
  return text_of(adapter_ ? hash_combine(hash, adapter_->hash()) : hash);
}

const std::string& ModelFolder::fingerprint() const {
  std::call_once(fingerprint_made_, [this] { fingerprint_ = make_fingerprint(); });
  return fingerprint_;
}

std::string ModelFolder::description() const {
  return fmt::format("{}({})", folder_name(given_), fingerprint().substr(0, 8));
}

}  // namespace capella::encoder
