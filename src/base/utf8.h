// UTF-8 and the few Unicode facts that several layers need.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Decodes the code point that starts at `position` and moves `position` behind it. An invalid byte counts as
/// one kReplacementCharacter.
char32_t decode_utf8(std::string_view text, std::size_t& position);

void append_utf8(std::string& out, char32_t code_point);

std::vector<char32_t> to_code_points(std::string_view text);

/// Whether Python's str.isspace() holds for the code point; str.split() and str.strip() go by it.
bool is_python_space(char32_t code_point);

/// Python's str.split(): calls `emit(word)` for each maximal run without white space.
template <class Emit>
void for_each_python_word(std::string_view text, Emit emit) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t begin = kNone;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t here = position;
    if (is_python_space(decode_utf8(text, position))) {
      if (begin != kNone) emit(text.substr(begin, here - begin));
      begin = kNone;
    } else if (begin == kNone) {
      begin = here;
    }
  }
  if (begin != kNone) emit(text.substr(begin));
}

/// `text` without trailing white space, as Python's str.rstrip() has it.
std::string_view python_rstrip(std::string_view text);

}  // namespace capella
