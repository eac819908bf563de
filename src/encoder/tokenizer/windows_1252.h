// Bytes 0x80 to 0x9F in Windows-1252, which the web takes for Latin-1. The five that it leaves open stay
// control characters.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>

namespace capella::encoder {

inline constexpr char32_t kWindows1252[] = {0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
                                            0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0x8D,   0x17D,  0x8F,
                                            0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                            0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};

/// What the byte was meant to be; other characters stay.
constexpr char32_t from_windows_1252(char32_t c) {
  return c >= 0x80 && c < 0xA0 ? kWindows1252[c - 0x80] : c;
}

/// The byte that Windows-1252 or Latin-1 has for the character.
constexpr std::optional<std::uint8_t> to_windows_1252(char32_t c) {
  if (c < 0x100) return static_cast<std::uint8_t>(c);
  for (std::size_t i = 0; i < std::size(kWindows1252); ++i) {
    if (kWindows1252[i] == c) return static_cast<std::uint8_t>(0x80 + i);
  }
  return std::nullopt;
}

}  // namespace capella::encoder
