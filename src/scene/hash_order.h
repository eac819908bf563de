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
    const std::size_t same = last_of(added.key);
    if (same != entries_.size()) {
      entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(same) + 1, added);
      return;
    }
    std::size_t place = entries_.size();
    while (place > 0 && bucket(entries_[place - 1]) > bucket(added)) --place;
    entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(place), added);
    ++keys_;
    if (capacity_ < kLargeTable && keys_in_bucket(added) > kLongBucket) grow();
    if (4 * keys_ > 3 * capacity_) grow();
  }

  /// The value must be there.
  void remove(std::uint32_t value) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [value](const Entry& entry) { return entry.value == value; });
    const std::uint32_t key = found->key;
    entries_.erase(found);
    if (last_of(key) == entries_.size()) --keys_;
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

  std::size_t last_of(std::uint32_t key) const {
    for (std::size_t i = entries_.size(); i-- > 0;) {
      if (entries_[i].key == key) return i;
    }
    return entries_.size();
  }

  std::size_t keys_in_bucket(const Entry& of) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const bool is_first_value = i == 0 || entries_[i - 1].key != entries_[i].key;
      if (bucket(entries_[i]) == bucket(of) && is_first_value) ++count;
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
