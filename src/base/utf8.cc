#include "base/utf8.h"

namespace capella {
namespace {

bool is_continuation(std::string_view text, std::size_t position) {
  return position < text.size() && (static_cast<unsigned char>(text[position]) & 0xC0) == 0x80;
}

bool is_valid(char32_t code_point, std::size_t length) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  return code_point >= kSmallest[length] && code_point <= 0x10FFFF && !surrogate;
}

}  // namespace

char32_t decode_utf8(std::string_view text, std::size_t& position) {
  const auto lead = static_cast<unsigned char>(text[position++]);
  if (lead < 0x80) return lead;
  const std::size_t length = lead >= 0xF0 && lead < 0xF8   ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC0                ? 2
                                                           : 0;
  if (length == 0 || lead >= 0xF8) return kReplacementCharacter;
  char32_t code_point = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text, position + i - 1)) return kReplacementCharacter;
    code_point = (code_point << 6) | (static_cast<unsigned char>(text[position + i - 1]) & 0x3F);
  }
  if (!is_valid(code_point, length)) return kReplacementCharacter;
  position += length - 1;
  return code_point;
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::vector<char32_t> to_code_points(std::string_view text) {
  std::vector<char32_t> points;
  points.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) points.push_back(decode_utf8(text, position));
  return points;
}

bool is_python_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::string_view python_rstrip(std::string_view text) {
  while (!text.empty()) {
    std::size_t last = text.size() - 1;
    while (last > 0 && is_continuation(text, last)) --last;
    std::size_t position = last;
    if (!is_python_space(decode_utf8(text, position))) break;
    text = text.substr(0, last);
  }
  return text;
}

}  // namespace capella
