// Which characters make up words for programs that cut text with Python's \w+.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/utf8.h"

namespace capella::text {

/// Whether \w of Python's regular expressions matches: letters, numbers of all kinds, underscore.
bool is_word_character(char32_t code_point);

/// Calls `emit(run)` for each maximal run of word characters, as re.findall(r"\w+", text) lists them.
template <class Emit>
void for_each_word_run(std::string_view text, Emit emit) {
  std::size_t begin = 0;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t here = position;
    if (is_word_character(decode_utf8(text, position))) continue;
    if (here > begin) emit(text.substr(begin, here - begin));
    begin = position;
  }
  if (begin < text.size()) emit(text.substr(begin));
}

}  // namespace capella::text
