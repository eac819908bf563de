// The pieces of a tokenizer: their numbers and how they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"

namespace capella::encoder {

using TokenId = std::int32_t;

class PieceList {
 public:
  /// Numbers beyond this are taken for damage.
  static constexpr TokenId kMost = 1 << 24;

  /// Whether the piece could be added: neither its text nor its number is taken, or they belong together.
  bool add(std::string_view text, TokenId id);

  std::optional<TokenId> find(std::string_view text) const;
  /// Empty where there is a gap between numbers.
  std::string_view text(TokenId id) const;
  /// One more than the highest number.
  std::size_t size() const { return texts_.size(); }
  /// Bytes of the longest piece.
  std::size_t longest() const { return longest_; }

 private:
  std::deque<std::string> stored_;  // whose strings never move
  std::vector<std::string_view> texts_;
  tsl::robin_map<std::string_view, TokenId, StringHash> ids_;
  std::size_t longest_ = 0;
};

}  // namespace capella::encoder
