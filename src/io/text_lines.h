// Walking a text line by line. A line ends with \n or \r\n; the last one may lack its end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace capella::io {

/// Calls visit(line, number) for each line, numbered from 1, without its end.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(line, number);
    begin = end + 1;
  }
}

inline bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace capella::io
