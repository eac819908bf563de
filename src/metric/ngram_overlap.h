// How often each n-gram of a caption stands in a reference.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "text/ngrams.h"

namespace capella::metric {

/// Made for one caption, then asked about one reference after the other. The caption's n-grams lie in a small
/// hash table that stays in the first-level cache, so a reference costs one pass over its n-grams, however
/// long both are.
class NgramOverlap {
 public:
  explicit NgramOverlap(text::NgramProfile caption)
      : slots_(std::bit_ceil(4 * caption.all().size() + 1)), counts_(caption.all().size() + 1) {
    std::uint32_t place = 0;
    for (const text::NgramCount& ngram : caption.all()) slots_[find(ngram.id)] = {ngram.id, ++place};
  }

  /// The counts in the reference, parallel to the caption's all(); valid until the next call.
  std::span<const std::uint32_t> counts_in(text::NgramProfile reference) {
    std::fill(counts_.begin(), counts_.end(), 0);
    // Without a branch: n-grams that the caption lacks are counted at place 0, which nobody reads.
    for (const text::NgramCount& ngram : reference.all()) counts_[slots_[find(ngram.id)].place] = ngram.count;
    return std::span(counts_).subspan(1);
  }

 private:
  struct Slot {
    text::NgramId id = 0;
    std::uint32_t place = 0;  // counted from 1; 0 if the slot is free
  };

  std::size_t find(text::NgramId id) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t slot = IntegerHash{}(id)&last;
    while (slots_[slot].id != id && slots_[slot].place != 0) slot = (slot + 1) & last;
    return slot;
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> counts_;
};

/// The part of an array parallel to profile.all() that belongs to the n-grams of order n.
template <class T>
std::span<const T> order_of(std::span<const T> parallel, text::NgramProfile profile, std::size_t n) {
  const auto begin = static_cast<std::size_t>(profile.order(n).data() - profile.all().data());
  return parallel.subspan(begin, profile.order(n).size());
}

}  // namespace capella::metric
