// Finding an n-gram's count in a sentence.
#pragma once

#include <cstdint>
#include <span>

#include <tsl/robin_map.h>

#include "text/ngrams.h"

namespace capella::metric {

/// Answers "where does this n-gram stand in the list?". Captions are short, so a plain look through the list is
/// fastest; for long texts a map is made, or time would grow with the square of the length.
class NgramLookup {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  explicit NgramLookup(std::span<const text::NgramCount> list) : list_(list) {
    if (list.size() > kShort) {
      places_.reserve(list.size());
      for (std::size_t i = 0; i < list.size(); ++i) places_.emplace(list[i].id, i);
    }
  }

  std::size_t find(text::NgramId id) const {
    if (list_.size() > kShort) {
      const auto found = places_.find(id);
      return found == places_.end() ? kNone : found->second;
    }
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (list_[i].id == id) return i;
    }
    return kNone;
  }

 private:
  static constexpr std::size_t kShort = 40;
  std::span<const text::NgramCount> list_;
  tsl::robin_map<text::NgramId, std::size_t> places_;
};

}  // namespace capella::metric
