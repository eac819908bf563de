#include "text/word_characters.h"

#include <algorithm>
#include <iterator>

namespace capella::text {
namespace {

struct Range {
  char32_t low;
  char32_t high;
};

constexpr Range kRanges[] = {
#include "text/word_characters.inc"
};

}  // namespace

bool is_word_character(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  const auto after = std::upper_bound(std::begin(kRanges), std::end(kRanges), c,
                                      [](char32_t point, const Range& range) { return point < range.low; });
  return after != std::begin(kRanges) && c <= std::prev(after)->high;
}

}  // namespace capella::text
