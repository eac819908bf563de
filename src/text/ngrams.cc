#include "text/ngrams.h"

#include <algorithm>

namespace capella::text {

const NgramId* NgramIndex::find(std::uint64_t key) const {
  if (base_ != nullptr) {
    if (const NgramId* id = base_->find(key)) return id;
  }
  const auto found = ids_.find(key);
  return found == ids_.end() ? nullptr : &found->second;
}

NgramId NgramIndex::intern(NgramId prefix, WordId word) {
  const std::uint64_t key = std::uint64_t{prefix} << 32 | word;
  if (base_ != nullptr) {
    if (const NgramId* id = base_->find(key)) return *id;
  }
  const auto [place, is_new] = ids_.try_emplace(key, size());
  if (is_new) keys_.push_back(key);
  return place->second;
}

std::vector<WordId> NgramIndex::words(NgramId id) const {
  std::vector<WordId> words;
  for (; id != kEmpty; id = static_cast<NgramId>(key(id) >> 32)) words.push_back(static_cast<WordId>(key(id)));
  std::reverse(words.begin(), words.end());
  return words;
}

void NgramTable::add(std::span<const WordId> words, NgramIndex& index) {
  begins_.push_back(counts_.size());
  scratch_.assign(words.size(), NgramIndex::kEmpty);
  auto& ends = ends_.emplace_back();
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    const std::size_t count = words.size() >= n ? words.size() - n + 1 : 0;
    for (std::size_t i = 0; i < count; ++i) scratch_[i] = index.intern(scratch_[i], words[i + n - 1]);
    add_order({scratch_.data(), count});
    ends[n - 1] = static_cast<std::uint32_t>(counts_.size() - begins_.back());
  }
}

// Counts equal ids. Captions are short, so a look through the few ids so far is fastest; long texts use a map.
void NgramTable::add_order(std::span<const NgramId> ids) {
  constexpr std::size_t kShort = 40;
  const std::size_t first = counts_.size();
  if (ids.size() <= kShort) {
    for (const NgramId id : ids) {
      const auto same = std::find_if(counts_.begin() + static_cast<std::ptrdiff_t>(first), counts_.end(),
                                     [id](const NgramCount& entry) { return entry.id == id; });
      if (same == counts_.end()) {
        counts_.push_back({id, 1});
      } else {
        ++same->count;
      }
    }
    return;
  }
  seen_.clear();
  for (const NgramId id : ids) {
    const auto [place, is_new] = seen_.try_emplace(id, static_cast<std::uint32_t>(counts_.size() - first));
    if (is_new) {
      counts_.push_back({id, 1});
    } else {
      ++counts_[first + place->second].count;
    }
  }
}

}  // namespace capella::text
