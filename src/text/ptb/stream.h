// Captions laid out as the lexer wants them: one block of units, each caption followed by a separator.
//
// The lexer's alphabet is UTF-16 units, yet the block is bytes: a unit is written as UTF-8 would write its
// number, so a character beyond U+FFFF becomes two units of three bytes. ASCII stays ASCII and needs no
// decoding. Line breaks inside a caption become spaces; invalid bytes become U+FFFD, which the lexer deletes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/ptb/tables.h"

namespace capella::text::ptb {

class Stream {
 public:
  /// Lays out the captions first .. last - 1. With `separator` '\n' the lexer looks from one caption into the
  /// next; then the text goes on behind `last` as far as any rule can look: over captions without a visible
  /// character and through the first one with some. With kEndOfText each caption stands alone.
  Stream(std::span<const std::string_view> captions, std::size_t first, std::size_t last, char separator);

  /// The captions that were asked for, counted from 0.
  std::size_t size() const { return begins_.size() - 1; }
  const char* begin(std::size_t caption) const { return bytes_.data() + begins_[caption]; }
  /// Where the caption's separator stands.
  const char* end(std::size_t caption) const { return bytes_.data() + begins_[caption + 1] - 1; }

  /// Bytes that may be read behind the text; all are kEndOfText.
  static constexpr std::size_t kPadding = 16;

 private:
  std::string bytes_;
  std::vector<std::size_t> begins_;  // one more than there are captions
};

/// Appends one caption as units.
void append_units(std::string& out, std::string_view caption);

/// Reads the unit of two or three bytes at `position` and moves behind it.
inline char16_t read_multibyte_unit(const char*& position) {
  const auto byte = [&position](int i) { return static_cast<unsigned char>(position[i]); };
  const unsigned lead = byte(0);
  if (lead < 0xE0) {
    const unsigned unit = (lead & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
    position += 2;
    return static_cast<char16_t>(unit);
  }
  const unsigned unit = (lead & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
  position += 3;
  return static_cast<char16_t>(unit);
}

inline char16_t read_unit(const char*& position) {
  if (static_cast<unsigned char>(*position) < 0x80) return static_cast<unsigned char>(*position++);
  return read_multibyte_unit(position);
}

/// The position `units` units before `position`.
inline const char* step_back(const char* position, int units) {
  for (; units > 0; --units) {
    do {
      --position;
    } while ((static_cast<unsigned char>(*position) & 0xC0) == 0x80);
  }
  return position;
}

}  // namespace capella::text::ptb
