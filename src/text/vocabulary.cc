#include "text/vocabulary.h"

#include <cstring>

namespace capella::text {
namespace {

constexpr std::size_t kShort = 8;

std::uint64_t load4(const char* bytes) {
  std::uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// The bytes of a word of one to eight bytes as one number.
std::uint64_t pack(std::string_view word) {
  const std::size_t size = word.size();
  if (size >= 4) return load4(word.data()) | load4(word.data() + size - 4) << (8 * (size - 4));
  const auto byte = [word](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(word[i])} << (8 * i);
  };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

// A word that ended in a zero byte would not be told from the same word without it.
bool is_short(std::string_view word) {
  return !word.empty() && word.size() <= kShort && word.back() != '\0';
}

}  // namespace

WordId Vocabulary::find_short(std::uint64_t key) const {
  const WordId id = base_ != nullptr ? base_->find_short(key) : IdTable::kNone;
  return id != IdTable::kNone ? id : short_words_.find(key);
}

WordId Vocabulary::find_long(std::string_view word, std::size_t hash) const {
  const WordId id = base_ != nullptr ? base_->find_long(word, hash) : IdTable::kNone;
  if (id != IdTable::kNone) return id;
  const auto found = long_words_.find(word, hash);
  return found == long_words_.end() ? IdTable::kNone : found->second;
}

WordId Vocabulary::intern(std::string_view word) {
  const WordId next = size();
  if (is_short(word)) {
    const std::uint64_t key = pack(word);
    if (const WordId id = find_short(key); id != IdTable::kNone) return id;
    words_.emplace_back(word);
    return short_words_.find_or_insert(key, next);
  }
  if (const WordId id = find_long(word, StringHash{}(word)); id != IdTable::kNone) return id;
  long_words_.emplace(words_.emplace_back(word), next);
  return next;
}

}  // namespace capella::text
