// Captions to trees: cut into sentences, many of which go through the parser's network together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/parser.h"
#include "syntax/tree.h"

namespace capella::syntax {

/// The fingerprint of models/parser.safetensors as it is shipped.
inline constexpr std::uint64_t kShippedModel = 0x9FE5442E47E88518;

class CaptionParser {
 public:
  /// Opens a model, e.g. models/parser.safetensors. Throws FileError that names the file.
  explicit CaptionParser(const std::string& path);

  /// The trees of each caption's sentences; none for a caption without words. Safe to call from several
  /// threads at once; a caption's trees do not depend on the others.
  std::vector<std::vector<Tree>> parse(std::span<const std::string_view> captions) const;

  /// A number that changes with every byte of the model.
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  std::uint64_t fingerprint_;
  Parser parser_;
};

}  // namespace capella::syntax
