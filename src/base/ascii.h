// Lower case of ASCII letters alone; all other bytes stay. For names and for what is compared like that.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace capella {

/// What stands between words, and at the ends of lines.
inline constexpr std::string_view kBlank = " \t\r\n";

constexpr char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

inline std::string lowered_ascii(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower_ascii);
  return out;
}

}  // namespace capella
