#include "encoder/tokenizer/clip_text.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "base/utf8.h"
#include "encoder/tokenizer/html.h"
#include "encoder/tokenizer/unicode.h"
#include "encoder/tokenizer/windows_1252.h"

namespace capella::encoder {
namespace {

constexpr int kMostRounds = 10;  // of text that was escaped again and again

bool is_unwanted_control(char32_t c) {
  return c < 0x9 || c == 0xB || (c >= 0xE && c < 0x20) || c == 0x7F || (c >= 0x206A && c < 0x2070) ||
         c == 0xFEFF || (c >= 0xFFF9 && c < 0xFFFD);
}

// Letters that are two, or one that looks like two.
bool is_ligature(char32_t c) {
  return c == 0x132 || c == 0x133 || c == 0x149 || (c >= 0x1F1 && c <= 0x1F3) || (c >= 0x1C4 && c <= 0x1CC) ||
         (c >= 0xFB00 && c <= 0xFB06);
}

bool is_wide_form(char32_t c) {
  return c == 0x3000 || (c >= 0xFF01 && c < 0xFFF0);
}

// U+FB05 has a long s, which compatibility would make a plain one.
void append_parts(std::string& out, char32_t c) {
  std::string one;
  append_utf8(one, c);
  out += c == 0xFB05 ? "\u017Ft" : nfkc(one);
}

void append_fixed(std::string& out, char32_t given) {
  const char32_t c = from_windows_1252(given);
  if (is_unwanted_control(c)) return;
  if (is_ligature(c) || is_wide_form(c))
    append_parts(out, c);
  else if (c == 0x2BC || (c >= 0x2018 && c <= 0x201B))
    out += '\'';
  else if (c >= 0x201C && c <= 0x201F)
    out += '"';
  else
    append_utf8(out, c);
}

// The bytes of a command for a terminal ("ESC [ 31 m") at the beginning of the text, 0 if there is none.
std::size_t terminal_command(std::string_view text) {
  if (!text.starts_with("\x1B[")) return 0;
  std::size_t end = 2;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == ';')) ++end;
  const bool letter = end < text.size() && ((text[end] | 0x20) >= 'a' && (text[end] | 0x20) <= 'z');
  return letter ? end + 1 : 0;
}

std::string fixed_once(std::string_view text) {
  const std::string unescaped =
      text.find('<') == std::string_view::npos ? unescape_closed_html(text) : std::string(text);
  std::string out;
  for (std::size_t position = 0; position < unescaped.size();) {
    if (const std::size_t command = terminal_command(std::string_view(unescaped).substr(position)))
      position += command;
    else
      append_fixed(out, decode_utf8(unescaped, position));
  }
  return nfc(out);
}

std::string fixed(std::string text) {
  for (int round = 0; round < kMostRounds; ++round) {
    std::string next = fixed_once(text);
    if (next == text) break;
    text = std::move(next);
  }
  return text;
}

// One space for each run of white space, none at the ends.
std::string with_single_spaces(std::string_view text) {
  std::string out;
  bool pending = false;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t begin = position;
    if (is_space(decode_utf8(text, position))) {
      pending = !out.empty();
      continue;
    }
    if (pending) out += ' ';
    pending = false;
    out += text.substr(begin, position - begin);
  }
  return out;
}

// How many bytes a character has in UTF-8 whose first byte this is; 0 if none begins so.
std::size_t sequence_length(std::uint8_t lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

// The length of a character in UTF-8 whose bytes were read as characters from `at` on; 0 if there is none.
std::size_t misread_character(const std::vector<char32_t>& text, std::size_t at) {
  const auto lead = to_windows_1252(text[at]);
  const std::size_t length = lead ? sequence_length(*lead) : 0;
  if (length == 0 || at + length > text.size()) return 0;
  std::string bytes(1, static_cast<char>(*lead));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = to_windows_1252(text[at + i]);
    if (!byte) return 0;
    bytes += static_cast<char>(*byte);
  }
  std::size_t position = 0;
  const bool valid = decode_utf8(bytes, position) != kReplacementCharacter && position == length;
  return valid ? length : 0;
}

}  // namespace

std::string clean_for_clip(std::string_view text, ClipCleaning cleaning) {
  if (cleaning == ClipCleaning::hugging_face) return lower_each(with_single_spaces(nfc(valid_utf8(text))));
  return lower_python(with_single_spaces(unescape_html(unescape_html(fixed(valid_utf8(text))))));
}

// Two characters alone may be meant ("Ó”"), unless they stand for a letter of Latin-1, the commonest case.
bool looks_garbled(std::string_view text) {
  if (is_ascii(text)) return false;
  const std::vector<char32_t> points = to_code_points(text);
  bool before = false;
  for (std::size_t i = 0; i < points.size();) {
    const std::size_t length = misread_character(points, i);
    if (length > 2 || (length == 2 && (before || points[i] <= 0xC3))) return true;
    before = length == 2;
    i += length == 0 ? 1 : length;
  }
  return false;
}

}  // namespace capella::encoder
