// Words as small numbers.
//
// Nearly all words of captions have at most eight bytes and so fit into one 64-bit number. They are looked up
// as such; only longer words are hashed and compared as strings.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "text/id_table.h"

namespace capella::text {

using WordId = std::uint32_t;

/// Gives each distinct word a number, from 0 up. A vocabulary may extend another one that is finished: words
/// of the base keep their numbers, new ones follow. Many threads may thus share one base and each extend it
/// privately.
class Vocabulary {
 public:
  explicit Vocabulary(const Vocabulary* base = nullptr) : base_(base), first_(base ? base->size() : 0) {}
  Vocabulary(Vocabulary&&) = default;  // the words themselves do not move, so the map's keys stay valid
  Vocabulary& operator=(Vocabulary&&) = default;

  WordId size() const { return first_ + static_cast<WordId>(words_.size()); }
  WordId intern(std::string_view word);
  std::string_view word(WordId id) const { return id < first_ ? base_->word(id) : words_[id - first_]; }

 private:
  WordId find_short(std::uint64_t key) const;
  WordId find_long(std::string_view word, std::size_t hash) const;

  const Vocabulary* base_;
  WordId first_;
  std::deque<std::string> words_;
  tsl::robin_map<std::string_view, WordId, StringHash, std::equal_to<std::string_view>,
                 std::allocator<std::pair<std::string_view, WordId>>, /*StoreHash=*/true>
      long_words_;
  IdTable short_words_;
};

}  // namespace capella::text
