#include "resource/keyed_lists.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <string>

namespace capella::resource {
namespace {

std::string section_name(std::string_view name, std::string_view part) {
  return std::string(name) + "." + std::string(part);
}

constexpr std::size_t kGroup = KeyedLists<std::uint8_t>::kGroup;

// How far to shift a key so that its leading bits are left, which name its first group.
unsigned shift_for(std::size_t groups) {
  return 64 - static_cast<unsigned>(std::countr_zero(groups));
}

template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

// Gives each key a slot in the first group from its own on that has room.
template <class T>
std::vector<const KeyedList<T>*> place(const std::vector<KeyedList<T>>& lists) {
  constexpr std::size_t kFill = kGroup / 2 + 1;  // keys per group, on average, at most
  const std::size_t groups = std::max<std::size_t>(2, std::bit_ceil(lists.size() / kFill + 1));
  std::vector<const KeyedList<T>*> slots(groups * kGroup);
  for (const KeyedList<T>& list : lists) {
    assert(list.first != 0);
    std::size_t slot = (list.first >> shift_for(groups)) * kGroup;
    while (slots[slot] != nullptr) {
      assert(slots[slot]->first != list.first);
      slot = (slot + 1) % slots.size();
    }
    slots[slot] = &list;
  }
  return slots;
}

}  // namespace

template <class T>
KeyedLists<T>::KeyedLists(const SectionFile& file, std::string_view name)
    : file_(file),
      keys_(file.section<std::uint64_t>(section_name(name, "keys"))),
      ends_(file.section<std::uint32_t>(section_name(name, "ends"))),
      values_(file.section<T>(section_name(name, "values"))) {
  if (keys_.size() < 2 * kGroup || !std::has_single_bit(keys_.size()) || ends_.size() != keys_.size()) {
    file_.reject(std::string(name) + " has tables of sizes that do not fit together");
  }
  shift_ = shift_for(keys_.size() / kGroup);
}

template <class T>
std::size_t KeyedLists<T>::slot_of(std::uint64_t key) const {
  std::size_t slot = first_slot(key);
  for (std::size_t tried = 0; tried < keys_.size(); ++tried) {
    if (keys_[slot] == key) return slot;
    if (keys_[slot] == 0) return kNone;
    slot = (slot + 1) % keys_.size();
  }
  return kNone;
}

template <class T>
std::optional<std::span<const T>> KeyedLists<T>::look_up(std::uint64_t key) const {
  const std::size_t slot = slot_of(key);
  if (slot == kNone || key == 0) return std::nullopt;
  const std::size_t begin = slot == 0 ? 0 : ends_[slot - 1];
  const std::size_t end = ends_[slot];
  if (begin > end || end > values_.size()) file_.reject("a list lies outside the table");
  return values_.subspan(begin, end - begin);
}

template <class T>
std::vector<Section> keyed_list_sections(std::string_view name, std::vector<KeyedList<T>> lists) {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> ends;
  std::vector<T> values;
  std::sort(lists.begin(), lists.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const KeyedList<T>* list : place(lists)) {
    keys.push_back(list == nullptr ? 0 : list->first);
    if (list != nullptr) values.insert(values.end(), list->second.begin(), list->second.end());
    assert(values.size() <= std::numeric_limits<std::uint32_t>::max());
    ends.push_back(static_cast<std::uint32_t>(values.size()));
  }
  return {{section_name(name, "keys"), bytes_of(keys)},
          {section_name(name, "ends"), bytes_of(ends)},
          {section_name(name, "values"), bytes_of(values)}};
}

template class KeyedLists<std::uint8_t>;
template class KeyedLists<std::uint32_t>;
template class KeyedLists<std::uint64_t>;
template std::vector<Section> keyed_list_sections(std::string_view, std::vector<KeyedList<std::uint8_t>>);
template std::vector<Section> keyed_list_sections(std::string_view, std::vector<KeyedList<std::uint32_t>>);
template std::vector<Section> keyed_list_sections(std::string_view, std::vector<KeyedList<std::uint64_t>>);

}  // namespace capella::resource
