// Captions to trees: cut into sentences, many of which go through the parser's network together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/parser.h"
#include "syntax/tree.h"
#include "syntax/tree_memory.h"

namespace capella::syntax {

/// The fingerprint of models/parser.safetensors as it is shipped.
inline constexpr std::uint64_t kShippedModel = 0x9FE5442E47E88518;

class CaptionParser {
 public:
  /// What is to be kept where several ask for the same captions (150 MB at most).
  static constexpr std::size_t kMostKept = 300'000;

  /// Opens a model, e.g. models/parser.safetensors. Throws FileError that names the file. The trees of up to
  /// `most_kept` sentences are kept for those who ask for them again.
  explicit CaptionParser(const std::string& path, std::size_t most_kept = 0);

  /// The trees of each caption's sentences; none for a caption without words. Safe to call from several
  /// threads at once; a caption's trees do not depend on the others.
  std::vector<std::vector<Tree>> parse(std::span<const std::string_view> captions) const;

  /// A number that changes with every byte of the model.
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  std::vector<Tree> trees_of(std::span<const Sentence> sentences) const;

  std::uint64_t fingerprint_;
  Parser parser_;
  std::unique_ptr<TreeMemory> memory_;  // null if nothing is kept
};

}  // namespace capella::syntax
