// Lists of numbers by 64-bit key, as they lie in a mapped file: a hash table of keys, and the lists one after
// the other. A key is looked for in groups of eight slots, a cache line each, so that most searches touch one
// line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "resource/section_file.h"

namespace capella::resource {

/// For T = uint8_t, uint32_t and uint64_t. Keys are hashes: evenly spread and never 0.
template <class T>
class KeyedLists {
 public:
  static constexpr std::size_t kGroup = 8;  ///< slots

  /// Takes the sections `name`.keys, .ends and .values of the file, which must outlive this. Throws
  /// FileError if they do not fit together; so do the functions below when they come upon it.
  KeyedLists(const SectionFile& file, std::string_view name);

  bool contains(std::uint64_t key) const { return look_up(key).has_value(); }
  /// The key's list, or nothing if there is no such key.
  std::optional<std::span<const T>> look_up(std::uint64_t key) const;
  /// The key's list; empty if there is no such key.
  std::span<const T> find(std::uint64_t key) const { return look_up(key).value_or(std::span<const T>()); }

  /// Fetches the place of a key that will soon be looked up.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&keys_[first_slot(key)]); }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t first_slot(std::uint64_t key) const { return (key >> shift_) * kGroup; }
  std::size_t slot_of(std::uint64_t key) const;

  const SectionFile& file_;
  std::span<const std::uint64_t> keys_;  // one per slot; 0: the slot is free
  std::span<const std::uint32_t> ends_;  // per slot: the end of its list
  std::span<const T> values_;
  unsigned shift_ = 0;  // leaves the leading bits of a key: its first group
};

template <class T>
using KeyedList = std::pair<std::uint64_t, std::vector<T>>;

/// The sections that KeyedLists takes. The lists may come in any order, each key once.
template <class T>
std::vector<Section> keyed_list_sections(std::string_view name, std::vector<KeyedList<T>> lists);

}  // namespace capella::resource
