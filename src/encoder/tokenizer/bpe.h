// Byte pair encoding: a word's bytes, joined two by two in the order in which the pairs were learnt.
//
// Neighbours wait in a heap, the earliest learnt pair first and of equal ones the leftmost; symbols form a
// chain. So a word of n bytes takes n log n steps, however long it is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "encoder/tokenizer/piece_list.h"
#include "encoder/tokenizer/word_cache.h"

namespace capella::encoder {

/// Two pieces that are joined, as the vocabulary writes them.
struct Merge {
  std::string_view left;
  std::string_view right;
};

class Bpe {
 public:
  /// `word_end` marks the last symbol of a word ("</w>"), or is empty. Throws DataError that says what does
  /// not fit together: a byte without a piece, a merge whose parts or whole are none.
  Bpe(const PieceList& pieces, const std::vector<Merge>& merges, std::string_view word_end);

  /// Appends the tokens of a word, bytes as they are. Any thread may call it at any time.
  void append(std::string_view word, std::vector<TokenId>& out) const;

 private:
  struct Joined {
    std::uint32_t rank;
    TokenId id;
  };
  class Chain;

  static std::uint64_t key(TokenId left, TokenId right) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) |
           static_cast<std::uint32_t>(right);
  }
  const Joined* joined(TokenId left, TokenId right) const;
  std::vector<TokenId> cut(std::string_view word) const;

  std::array<TokenId, 256> inner_;  // the piece of each byte
  std::array<TokenId, 256> last_;   // and at the end of a word
  tsl::robin_map<std::uint64_t, Joined, IntegerHash> joined_;
  WordCache cache_;
};

}  // namespace capella::encoder
