// The order in which java.util.HashMap and HashSet give back what was put into them.
//
// SPICE walks through such maps, and what it merges depends on the order of the walk. Entries stand in
// buckets by their hash, inside a bucket in the order in which they came; a table of 16 buckets doubles when
// it is more than three quarters full, or when a bucket of a small table gets long. Java's search trees in
// very long buckets of large tables are not imitated: no sentence and no concept has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace capella::scene {

/// A map from keys to one or more values each, e.g. from a word to the edges that lead to it.
class HashOrder {
 public:
  struct Entry {
    std::uint32_t hash;  ///< the same for equal keys
    std::uint32_t key;
    std::uint32_t value;
  };

  explicit HashOrder(std::uint32_t capacity = 16) : capacity_(capacity) {}

  /// A key that is there keeps its place, and the value follows its other values.
  void add(const Entry& added) {
    const std::span<const Entry> others = bucket_of(added.hash);
    std::size_t behind = others.size();
    while (behind > 0 && others[behind - 1].key != added.key) --behind;
    const bool is_new = behind == 0;
    if (is_new) behind = others.size();
    entries_.insert(
        entries_.begin() + (others.data() - entries_.data()) + static_cast<std::ptrdiff_t>(behind), added);
    if (!is_new) return;
    ++keys_;
    if (capacity_ < kLargeTable && keys_in_bucket(added.hash) > kLongBucket) grow();
    if (4 * keys_ > 3 * capacity_) grow();
  }

  /// The value must be there.
  void remove(std::uint32_t value) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [value](const Entry& entry) { return entry.value == value; });
    const Entry removed = *found;
    entries_.erase(found);
    if (find(removed.hash, removed.key) == nullptr) --keys_;
  }

  /// The first entry with the key, whose hash this is, or null.
  const Entry* find(std::uint32_t hash, std::uint32_t key) const {
    for (const Entry& entry : bucket_of(hash)) {
      if (entry.key == key) return &entry;
    }
    return nullptr;
  }

  /// All entries with the hash, in their order, and others that share their bucket.
  std::span<const Entry> bucket_of(std::uint32_t hash) const {
    const auto its_bucket = [this](const Entry& entry) { return bucket(entry); };
    const std::uint32_t wanted = hash & (capacity_ - 1);
    const auto first = std::ranges::lower_bound(entries_, wanted, {}, its_bucket);
    const auto last = std::ranges::upper_bound(first, entries_.end(), wanted, {}, its_bucket);
    return {entries_.data() + (first - entries_.begin()), static_cast<std::size_t>(last - first)};
  }

  /// The table is as if new.
  void clear() {
    entries_.clear();
    capacity_ = 16;
    keys_ = 0;
  }

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t i) const { return entries_[i]; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  static constexpr std::uint32_t kLargeTable = 64;
  static constexpr std::size_t kLongBucket = 8;

  std::uint32_t bucket(const Entry& entry) const { return entry.hash & (capacity_ - 1); }

  std::size_t keys_in_bucket(std::uint32_t hash) const {
    std::size_t count = 0;
    const std::span<const Entry> entries = bucket_of(hash);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i == 0 || entries[i - 1].key != entries[i].key) ++count;
    }
    return count;
  }

  void grow() {
    capacity_ *= 2;
    std::stable_sort(entries_.begin(), entries_.end(),
                     [this](const Entry& a, const Entry& b) { return bucket(a) < bucket(b); });
  }

  std::vector<Entry> entries_;  // in Java's order
  std::uint32_t capacity_;      // a power of two
  std::uint32_t keys_ = 0;
};

}  // namespace capella::scene
