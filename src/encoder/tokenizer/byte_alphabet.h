// How byte-level vocabularies write bytes: those that print as themselves, the other 68 as the characters
// from U+0100 on, in order. So a space is written as U+0120 and every text is one without spaces.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace capella::encoder {

constexpr bool prints_as_itself(unsigned byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

/// The character that stands for each byte.
inline const std::array<char32_t, 256>& byte_alphabet() {
  static const std::array<char32_t, 256> kAlphabet = [] {
    std::array<char32_t, 256> made{};
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < made.size(); ++byte) made[byte] = prints_as_itself(byte) ? byte : next++;
    return made;
  }();
  return kAlphabet;
}

/// The bytes as the vocabulary writes them.
inline std::string in_byte_alphabet(std::string_view bytes) {
  std::string written;
  for (const char byte : bytes) append_utf8(written, byte_alphabet()[static_cast<unsigned char>(byte)]);
  return written;
}

}  // namespace capella::encoder
