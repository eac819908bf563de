// Words as Python's str.split() finds them.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace capella::text {

/// Adds the words of a text to `out`, joined by single spaces.
inline void append_python_words(std::string_view text, std::string& out) {
  bool first = true;
  for_each_python_word(text, [&](std::string_view word) {
    if (!first) out += ' ';
    first = false;
    out += word;
  });
}

}  // namespace capella::text
