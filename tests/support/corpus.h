// Data sets made in memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capella/dataset.h"

#include "reference/item.h"

namespace capella::test {

using reference::Item;

/// A system's captions beside those of the items.
struct NamedCaptions {
  std::string name;
  std::vector<std::string> captions;
};

/// The items as a data set with ids "0", "1", ...; the items' captions are the system "first", `others`
/// follow.
inline Dataset make_dataset(const std::vector<Item>& items, const std::vector<NamedCaptions>& others = {}) {
  struct Owner {
    std::vector<Item> items;
    std::vector<NamedCaptions> others;
    std::vector<std::string> ids;
  };
  const auto owner = std::make_shared<Owner>(Owner{items, others, {}});
  for (std::size_t i = 0; i < items.size(); ++i) owner->ids.push_back(std::to_string(i));
  Dataset::Parts parts;
  parts.text = owner;
  parts.ids.assign(owner->ids.begin(), owner->ids.end());
  Dataset::System& first = parts.systems.emplace_back();
  first.name = "first";
  for (const Item& item : owner->items) {
    first.captions.emplace_back(item.caption);
    parts.references.insert(parts.references.end(), item.references.begin(), item.references.end());
    parts.reference_ends.push_back(parts.references.size());
  }
  for (const NamedCaptions& system : owner->others) {
    parts.systems.push_back({system.name, {system.captions.begin(), system.captions.end()}});
  }
  return Dataset(std::move(parts));
}

}  // namespace capella::test
