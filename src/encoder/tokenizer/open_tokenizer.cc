#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "encoder/tokenizer/tokenizer.h"
#include "encoder/tokenizer/tokenizer_files.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;

// The first of the names that is a file of the folder.
std::optional<std::string> find(const fs::path& folder, std::initializer_list<std::string_view> names) {
  std::error_code unknown;
  for (const std::string_view name : names) {
    if (fs::is_regular_file(folder / name, unknown)) return (folder / name).string();
  }
  return std::nullopt;
}

// What `read` makes of the file; errors name it.
template <class Read>
std::unique_ptr<const Tokenizer> reading(const std::string& path, Read read) try {
  return read(read_file(path));
} catch (const DataError& problem) {
  throw FileError(fmt::format("{}: {}; fetch the model's files again", path, problem.what()));
}

std::unique_ptr<const Tokenizer> open(const fs::path& folder, const TokenizerOptions& options) {
  if (const auto whole = find(folder, {"tokenizer.json"}))
    return reading(*whole, [&](const std::string& text) { return read_tokenizer_json(text, options); });
  if (const auto words = find(folder, {"vocab.txt"})) {
    const auto config = find(folder, {"tokenizer_config.json"});
    return reading(*words, [&](const std::string& text) {
      return read_wordpiece_vocabulary(text, config ? read_file(*config) : "");
    });
  }
  const auto pieces = find(folder, {"vocab.json"});
  const auto merges = find(folder, {"merges.txt"});
  if (pieces && merges)
    return reading(*pieces, [&](const std::string& text) {
      return read_vocabulary_and_merges(text, read_file(*merges), options);
    });
  if (const auto clip = find(folder, {"bpe_simple_vocab_16e6.txt.gz", "bpe_simple_vocab_16e6.txt"}))
    return reading(*clip, [&](const std::string& text) { return read_clip_merges(text, options); });
  throw FileError(fmt::format(
      "{}: has no tokenizer; expected tokenizer.json, vocab.txt (BERT), vocab.json and merges.txt "
      "(RoBERTa, CLIP) or bpe_simple_vocab_16e6.txt.gz (CLIP) beside the weights",
      folder.string()));
}

}  // namespace

std::unique_ptr<const Tokenizer> open_tokenizer(const std::string& folder, const TokenizerOptions& options) {
  return open(folder, options);
}

std::unique_ptr<const Tokenizer> open_tokenizer(const ModelFolder& folder, const TokenizerOptions& options) {
  const fs::path path = folder.path();
  std::error_code unknown;
  return open(fs::is_directory(path, unknown) ? path : path.parent_path(), options);
}

}  // namespace capella::encoder
