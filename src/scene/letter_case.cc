#include "scene/letter_case.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/lowercase.h"

namespace capella::scene {
namespace {

char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

bool is_trimmed(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

}  // namespace

std::string lowered(std::string_view text) {
  std::string out;
  if (std::all_of(text.begin(), text.end(), is_ascii)) {
    out.resize(text.size());
    std::transform(text.begin(), text.end(), out.begin(), lower_ascii);
  } else {
    const std::vector<char32_t> code_points = to_code_points(text);
    text::append_lower_case(out, std::u32string_view(code_points.data(), code_points.size()));
  }
  return out;
}

std::string trimmed_and_lowered(std::string_view text) {
  while (!text.empty() && is_trimmed(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_trimmed(text.back())) text.remove_suffix(1);
  return lowered(text);
}

bool equals_ignoring_case(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return lower_ascii(a) == b; });
}

}  // namespace capella::scene
