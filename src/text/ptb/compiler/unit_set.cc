#include "text/ptb/compiler/unit_set.h"

#include <algorithm>

namespace capella::text::ptb::compiler {

void UnitSet::add(std::uint32_t first, std::uint32_t last) {
  std::vector<UnitRange> merged;
  UnitRange added{first, last};
  for (const UnitRange& range : ranges_) {
    const bool apart = range.last + 1 < added.first || added.last + 1 < range.first;
    if (apart) {
      merged.push_back(range);
    } else {
      added = {std::min(added.first, range.first), std::max(added.last, range.last)};
    }
  }
  const auto before = [](const UnitRange& a, const UnitRange& b) { return a.first < b.first; };
  merged.insert(std::upper_bound(merged.begin(), merged.end(), added, before), added);
  ranges_ = std::move(merged);
}

UnitSet UnitSet::complement() const {
  UnitSet result;
  std::uint32_t next = 0;
  for (const UnitRange& range : ranges_) {
    if (range.first > next) result.ranges_.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next < kUnits) result.ranges_.push_back({next, kUnits - 1});
  return result;
}

bool UnitSet::contains(std::uint32_t unit) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), unit,
                       [](std::uint32_t value, const UnitRange& range) { return value < range.first; });
  return after != ranges_.begin() && unit <= (after - 1)->last;
}

}  // namespace capella::text::ptb::compiler
