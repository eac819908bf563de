// The classes by which byte-level tokenizers cut a text into words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "encoder/tokenizer/unicode.h"

namespace capella::encoder {

enum class CharacterClass : std::uint8_t { space, letter, number, other };

/// The class of the character at `position`, which moves behind it.
inline CharacterClass next_class(std::string_view text, std::size_t& position) {
  const char32_t c = decode_utf8(text, position);
  if (is_letter(c)) return CharacterClass::letter;
  if (is_number(c)) return CharacterClass::number;
  return is_space(c) ? CharacterClass::space : CharacterClass::other;
}

/// The end of the characters of one class that begin at `position`.
inline std::size_t end_of_class(std::string_view text, std::size_t position, CharacterClass wanted) {
  while (position < text.size()) {
    const std::size_t begin = position;
    if (next_class(text, position) != wanted) return begin;
  }
  return position;
}

/// The bytes of an English ending ('s, 't, 're, 've, 'm, 'll, 'd) with which the text begins; 0 if none.
inline std::size_t english_ending(std::string_view text) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(ending)) return ending.size();
  }
  return 0;
}

}  // namespace capella::encoder
