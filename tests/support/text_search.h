// Looking for pieces of text in what was written.
#pragma once

#include <cstddef>
#include <string_view>

namespace capella::test {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// How often the part is in the text, without overlaps.
inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

}  // namespace capella::test
