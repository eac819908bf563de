// Remembers how words were cut: captions say the same words again and again. Any thread may use it.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "encoder/tokenizer/piece_list.h"

namespace capella::encoder {

class WordCache {
 public:
  /// Longer words are not worth their room.
  static constexpr std::size_t kLongestWord = 64;

  /// Appends the word's tokens if they are known.
  bool append(std::string_view word, std::vector<TokenId>& out) const {
    const Shelf& shelf = shelf_of(word);
    const std::lock_guard lock(shelf.mutex);
    const auto found = shelf.words.find(word);
    if (found == shelf.words.end()) return false;
    out.insert(out.end(), found->second.begin(), found->second.end());
    return true;
  }

  void keep(std::string_view word, std::vector<TokenId> tokens) const {
    if (word.size() > kLongestWord) return;
    Shelf& shelf = shelf_of(word);
    const std::lock_guard lock(shelf.mutex);
    if (shelf.words.size() < kWordsPerShelf) shelf.words.emplace(std::string(word), std::move(tokens));
  }

 private:
  static constexpr std::size_t kShelves = 64;
  static constexpr std::size_t kWordsPerShelf = 1024;

  struct Hash : StringHash {
    using is_transparent = void;
  };
  struct Shelf {
    mutable std::mutex mutex;
    std::unordered_map<std::string, std::vector<TokenId>, Hash, std::equal_to<>> words;
  };

  Shelf& shelf_of(std::string_view word) const { return shelves_[hash_bytes(word) % kShelves]; }

  mutable std::array<Shelf, kShelves> shelves_;
};

}  // namespace capella::encoder
