// A set of UTF-16 units, kept as sorted ranges.
#pragma once

#include <cstdint>
#include <vector>

namespace capella::text::ptb::compiler {

inline constexpr std::uint32_t kUnits = 0x10000;

struct UnitRange {
  std::uint32_t first;
  std::uint32_t last;
  bool operator==(const UnitRange&) const = default;
};

class UnitSet {
 public:
  UnitSet() = default;
  UnitSet(std::uint32_t first, std::uint32_t last) : ranges_{{first, last}} {}

  void add(std::uint32_t first, std::uint32_t last);
  UnitSet complement() const;
  bool contains(std::uint32_t unit) const;

  const std::vector<UnitRange>& ranges() const { return ranges_; }
  bool operator==(const UnitSet&) const = default;

 private:
  std::vector<UnitRange> ranges_;  // ascending, neither touching nor overlapping
};

}  // namespace capella::text::ptb::compiler
