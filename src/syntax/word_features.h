// What the parser's network sees of a word: its place in the vocabulary, hashed beginnings and endings, and
// the kinds of its characters. The rules are those of the training program; only their counts are in the
// file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tsl/robin_map.h>

#include "base/hash.h"

namespace capella::syntax {

struct WordFeatures {
  static constexpr std::size_t kMostAffixes = 7;  ///< four endings and three beginnings

  std::uint32_t word = 0;  ///< place in the vocabulary, from 1; 0 for other words
  std::uint32_t shape = 0;
  std::uint32_t affix_count = 0;
  std::array<std::uint32_t, kMostAffixes> affixes{};
};

constexpr std::size_t kShapes = 64;  ///< shapes are below this

class FeatureReader {
 public:
  FeatureReader() = default;
  /// `vocabulary`: words, each followed by '\n'. `affix_rows`: affixes are numbers below it.
  FeatureReader(std::string_view vocabulary, std::size_t affix_rows);

  /// Words of the vocabulary; `lines` counts one that is there twice twice.
  std::size_t words() const { return ids_.size(); }
  std::size_t lines() const { return lines_; }
  WordFeatures read(std::string_view word) const;

 private:
  tsl::robin_map<std::string_view, std::uint32_t, StringHash> ids_;
  std::size_t lines_ = 0;
  std::size_t affix_rows_ = 1;
};

}  // namespace capella::syntax
