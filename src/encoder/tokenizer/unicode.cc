#include "encoder/tokenizer/unicode.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <utf8proc.h>

#include "base/ascii.h"
#include "base/utf8.h"

namespace capella::encoder {
namespace {

constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kFinalSigma = 0x3C2;
constexpr char32_t kCapitalDottedI = 0x130;
constexpr char32_t kCombiningDot = 0x307;

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool is_between(utf8proc_category_t value, utf8proc_category_t first, utf8proc_category_t last) {
  return value >= first && value <= last;
}

int combining_class(char32_t c) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class;
}

// Puts long runs of marks into canonical order. Normal forms ask for it, but utf8proc takes time that grows
// with the square of a run.
std::string with_ordered_marks(std::string_view text) {
  constexpr std::ptrdiff_t kLong = 64;
  std::vector<char32_t> points = to_code_points(text);
  const auto is_mark = [](char32_t c) { return combining_class(c) != 0; };
  bool changed = false;
  for (auto begin = points.begin(); begin != points.end();) {
    begin = std::find_if(begin, points.end(), is_mark);
    const auto end = std::find_if_not(begin, points.end(), is_mark);
    if (end - begin > kLong) {
      std::stable_sort(begin, end,
                       [](char32_t a, char32_t b) { return combining_class(a) < combining_class(b); });
      changed = true;
    }
    begin = end;
  }
  if (!changed) return std::string(text);
  std::string out;
  for (const char32_t c : points) append_utf8(out, c);
  return out;
}

struct Free {
  void operator()(utf8proc_uint8_t* bytes) const { std::free(bytes); }
};

std::string mapped(std::string_view given, int options) {
  if (given.empty()) return {};
  const std::string text = with_ordered_marks(given);
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &made,
                                             static_cast<utf8proc_option_t>(options));
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0) return text;  // it was not valid
  const std::unique_ptr<utf8proc_uint8_t, Free> owner(made);
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
}

void append_lower(std::string& out, char32_t c) {
  append_utf8(out, c == kCapitalDottedI
                       ? U'i'
                       : static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
  if (c == kCapitalDottedI) append_utf8(out, kCombiningDot);
}

bool has_case(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LT);
}

// Across these the search for a word's other letters goes on.
bool is_case_ignorable(char32_t c) {
  constexpr std::u32string_view kInside =
      U"'.:^`\u00A8\u00AD\u00AF\u00B4\u00B7\u00B8\u2018\u2019\u2024\u2027";
  const utf8proc_category_t found = category(c);
  return kInside.find(c) != std::u32string_view::npos || found == UTF8PROC_CATEGORY_MN ||
         found == UTF8PROC_CATEGORY_ME || found == UTF8PROC_CATEGORY_CF || found == UTF8PROC_CATEGORY_LM ||
         found == UTF8PROC_CATEGORY_SK;
}

bool is_final_sigma(const std::vector<char32_t>& text, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && is_case_ignorable(text[before - 1])) --before;
  if (before == 0 || !has_case(text[before - 1])) return false;
  std::size_t behind = at + 1;
  while (behind < text.size() && is_case_ignorable(text[behind])) ++behind;
  return behind == text.size() || !has_case(text[behind]);
}

}  // namespace

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_letter(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

bool is_number(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || is_between(category(c), UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP);
}

bool is_punctuation(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
}

bool is_accent(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_MN;
}

bool is_control(char32_t c) {
  return is_between(category(c), UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CO);
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) append_utf8(out, decode_utf8(text, position));
  return out;
}

std::string nfc(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string nfd(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
}

std::string nfkc(std::string_view text) {
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
}

std::string lower_each(std::string_view text) {
  if (is_ascii(text)) return lowered_ascii(text);
  std::string out;
  for (std::size_t position = 0; position < text.size();) append_lower(out, decode_utf8(text, position));
  return out;
}

std::string lower_python(std::string_view text) {
  if (is_ascii(text)) return lowered_ascii(text);
  const std::vector<char32_t> points = to_code_points(text);
  std::string out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i] == kCapitalSigma && is_final_sigma(points, i))
      append_utf8(out, kFinalSigma);
    else
      append_lower(out, points[i]);
  }
  return out;
}

std::string_view python_strip(std::string_view text) {
  text = python_rstrip(text);
  while (!text.empty()) {
    std::size_t position = 0;
    if (!is_python_space(decode_utf8(text, position))) break;
    text.remove_prefix(position);
  }
  return text;
}

}  // namespace capella::encoder
