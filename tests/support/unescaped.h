// Fields of tab-separated test data.
#pragma once

#include <string>
#include <string_view>

namespace capella::testing {

/// A field in which \t, \n, \r and \\ stand for what they name.
inline std::string unescaped(std::string_view field) {
  std::string out;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      out += field[i];
      continue;
    }
    const char c = field[++i];
    out += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return out;
}

}  // namespace capella::testing
