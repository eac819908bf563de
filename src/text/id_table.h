// A hash table from 64-bit keys to small numbers, for millions of look-ups that miss the cache.
//
// What general maps do not offer is prefetch(): the caller announces the next keys, and by the time it asks
// for them their places are on the way from memory. Linear probing, at most five eighths full, no deletion.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace capella::text {

class IdTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// Makes room for `keys` keys at once.
  void reserve(std::size_t keys) {
    const std::size_t slots = std::bit_ceil(keys * 8 / 5 + 1);
    if (slots > slots_.size()) resize(slots);
  }

  void prefetch(std::uint64_t key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[place_of(key)]);
  }

  /// The key's number, or kNone.
  std::uint32_t find(std::uint64_t key) const { return slots_.empty() ? kNone : slots_[probe(key)].id; }

  /// The key's number; a new key gets `id`, which must not be kNone.
  std::uint32_t find_or_insert(std::uint64_t key, std::uint32_t id) {
    if (8 * (size_ + 1) > 5 * slots_.size()) resize(std::max<std::size_t>(64, 2 * slots_.size()));
    Slot& slot = slots_[probe(key)];
    if (slot.id == kNone) {
      slot = {key, id};
      ++size_;
    }
    return slot.id;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t id = kNone;
  };

  std::size_t place_of(std::uint64_t key) const { return IntegerHash{}(key) & (slots_.size() - 1); }

  std::size_t probe(std::uint64_t key) const {
    std::size_t place = place_of(key);
    while (slots_[place].id != kNone && slots_[place].key != key) place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void resize(std::size_t slots) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
    for (const Slot& slot : old) {
      if (slot.id != kNone) slots_[probe(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace capella::text
