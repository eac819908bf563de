#include "text/ngrams.h"

#include <algorithm>

#include <tsl/robin_map.h>

#include "base/hash.h"

namespace capella::text {

namespace {

std::uint64_t key_of(NgramId prefix, WordId word) {
  return std::uint64_t{prefix} << 32 | word;
}

}  // namespace

void NgramIndex::prefetch(std::uint64_t key) const {
  if (base_ != nullptr) base_->prefetch(key);
  ids_.prefetch(key);
}

NgramId NgramIndex::find(std::uint64_t key) const {
  const NgramId id = base_ != nullptr ? base_->find(key) : kEmpty;
  return id != kEmpty ? id : ids_.find(key);
}

NgramId NgramIndex::intern(std::uint64_t key) {
  if (base_ != nullptr) {
    if (const NgramId id = base_->find(key); id != kEmpty) return id;
  }
  const NgramId id = ids_.find_or_insert(key, size());
  if (id == size()) keys_.push_back(key);
  return id;
}

void NgramIndex::intern(std::span<NgramId> prefixes, std::span<const WordId> words) {
  for (std::size_t i = 0; i < prefixes.size(); ++i) prefetch(key_of(prefixes[i], words[i]));
  for (std::size_t i = 0; i < prefixes.size(); ++i) prefixes[i] = intern(key_of(prefixes[i], words[i]));
}

std::vector<WordId> NgramIndex::words(NgramId id) const {
  std::vector<WordId> words;
  for (; id != kEmpty; id = static_cast<NgramId>(key(id) >> 32))
    words.push_back(static_cast<WordId>(key(id)));
  std::reverse(words.begin(), words.end());
  return words;
}

void NgramTable::reserve(std::size_t sentences, std::size_t ngrams) {
  counts_.reserve(ngrams);
  begins_.reserve(sentences);
  ends_.reserve(sentences);
}

void NgramTable::add(std::span<const WordId> words, NgramIndex& index) {
  constexpr std::size_t kFew = 40;
  begins_.push_back(counts_.size());
  scratch_.assign(words.size(), NgramIndex::kEmpty);
  auto& ends = ends_.emplace_back();
  bool distinct = false;  // if no n-gram of an order comes twice, none of the next order does
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    const std::size_t count = words.size() >= n ? words.size() - n + 1 : 0;
    const std::size_t before = counts_.size();
    const std::span ids(scratch_.data(), count);
    if (count > 0) index.intern(ids, words.subspan(n - 1, count));
    if (distinct) {
      for (const NgramId id : ids) counts_.push_back({id, 1});
    } else if (count <= kFew) {
      count_few(ids);
    } else {
      count_many(ids);
    }
    distinct = counts_.size() - before == count;
    ends[n - 1] = static_cast<std::uint32_t>(counts_.size() - begins_.back());
  }
}

// Captions are short: a look through the few ids so far is faster than any map.
void NgramTable::count_few(std::span<const NgramId> ids) {
  const auto first = static_cast<std::ptrdiff_t>(counts_.size());
  for (const NgramId id : ids) {
    const auto same = std::find_if(counts_.begin() + first, counts_.end(),
                                   [id](const NgramCount& entry) { return entry.id == id; });
    if (same == counts_.end()) {
      counts_.push_back({id, 1});
    } else {
      ++same->count;
    }
  }
}

void NgramTable::count_many(std::span<const NgramId> ids) {
  const std::size_t first = counts_.size();
  tsl::robin_map<NgramId, std::uint32_t, IntegerHash> seen(ids.size());
  for (const NgramId id : ids) {
    const auto [place, is_new] = seen.try_emplace(id, static_cast<std::uint32_t>(counts_.size() - first));
    if (is_new) {
      counts_.push_back({id, 1});
    } else {
      ++counts_[first + place->second].count;
    }
  }
}

}  // namespace capella::text
