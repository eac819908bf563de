#include "logic/exact/counting_cache.h"

#include <algorithm>

#include "base/hash.h"

namespace capella::logic {

CountingCache::Hash CountingCache::hash(Key key) {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size_bytes());
  return {hash.low64, hash.high64};
}

std::size_t CountingCache::bytes_of(std::size_t key_size) {
  constexpr std::size_t kBlock = 16;  // what the allocator keeps beside each key
  return sizeof(Entry) + 2 * sizeof(std::uint32_t) + kBlock + key_size * sizeof(std::uint32_t);
}

std::optional<std::uint32_t> CountingCache::find(const Hash& hash, Key key) {
  for (std::uint32_t at = bucket(hash); at != kNone; at = entries_[at].next) {
    const Entry& entry = entries_[at];
    if (entry.hash != hash || !std::ranges::equal(Key(entry.key.get(), entry.size), key)) continue;
    unlink(at);
    link_newest(at);
    ++hits_;
    return entry.value;
  }
  return std::nullopt;
}

void CountingCache::insert(const Hash& hash, Key key, std::uint32_t value) {
  const std::size_t needed = bytes_of(key.size());
  if (needed > most_bytes_) return;
  while (bytes_ + needed > most_bytes_) forget_oldest();
  if (count_ >= buckets_.size()) grow();
  std::uint32_t at = static_cast<std::uint32_t>(entries_.size());
  if (unused_.empty()) {
    entries_.emplace_back();
  } else {
    at = unused_.back();
    unused_.pop_back();
  }
  Entry& entry = entries_[at];
  entry.hash = hash;
  entry.key = std::make_unique_for_overwrite<std::uint32_t[]>(key.size());
  std::ranges::copy(key, entry.key.get());
  entry.size = static_cast<std::uint32_t>(key.size());
  entry.value = value;
  entry.next = bucket(hash);
  bucket(hash) = at;
  link_newest(at);
  bytes_ += needed;
  ++count_;
}

void CountingCache::unlink(std::uint32_t at) {
  const Entry& entry = entries_[at];
  (entry.newer == kNone ? newest_ : entries_[entry.newer].older) = entry.older;
  (entry.older == kNone ? oldest_ : entries_[entry.older].newer) = entry.newer;
}

void CountingCache::link_newest(std::uint32_t at) {
  Entry& entry = entries_[at];
  entry.newer = kNone;
  entry.older = newest_;
  (newest_ == kNone ? oldest_ : entries_[newest_].newer) = at;
  newest_ = at;
}

void CountingCache::forget_oldest() {
  const std::uint32_t at = oldest_;
  unlink(at);
  Entry& entry = entries_[at];
  std::uint32_t* place = &bucket(entry.hash);
  while (*place != at) place = &entries_[*place].next;
  *place = entry.next;
  bytes_ -= bytes_of(entry.size);
  entry.key.reset();
  unused_.push_back(at);
  --count_;
  ++forgotten_;
}

void CountingCache::grow() {
  buckets_.assign(2 * buckets_.size(), kNone);
  for (std::uint32_t at = newest_; at != kNone; at = entries_[at].older) {
    entries_[at].next = bucket(entries_[at].hash);
    bucket(entries_[at].hash) = at;
  }
}

}  // namespace capella::logic
