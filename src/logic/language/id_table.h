// A set of small numbers that stand for things kept elsewhere, found by the things' hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace capella::logic {

class IdTable {
 public:
  /// The number of an equal thing, `same(number)`; where there is none, `id`, which is then in the table.
  template <class Same>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t id, Same same) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::size_t place = first_place(hash);
    for (; slots_[place].id != kEmpty; place = next(place))
      if (slots_[place].mark == mark(hash) && same(slots_[place].id)) return slots_[place].id;
    slots_[place] = {mark(hash), id};
    ++size_;
    return id;
  }

  template <class Same>
  std::optional<std::uint32_t> find(std::uint64_t hash, Same same) const {
    if (slots_.empty()) return {};
    for (std::size_t place = first_place(hash); slots_[place].id != kEmpty; place = next(place))
      if (slots_[place].mark == mark(hash) && same(slots_[place].id)) return slots_[place].id;
    return {};
  }

  void clear() {
    if (size_ > 0) slots_.assign(kFewest, {});
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  static constexpr std::size_t kFewest = 16;

  struct Slot {
    std::uint32_t mark = 0;  // 32 bits of the hash: enough to move it, and to skip most that differ
    std::uint32_t id = kEmpty;
  };

  static std::uint32_t mark(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  std::size_t first_place(std::uint64_t hash) const { return mark(hash) & (slots_.size() - 1); }
  std::size_t next(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? kFewest : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id == kEmpty) continue;
      std::size_t place = first_place(slot.mark);
      while (slots_[place].id != kEmpty) place = next(place);
      slots_[place] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two of them
  std::size_t size_ = 0;
};

}  // namespace capella::logic
