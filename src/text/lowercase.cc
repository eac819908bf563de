#include "text/lowercase.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/ptb/tables.h"

namespace capella::text {
namespace {

using ptb::CodeRange;
using ptb::LowerRun;

constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kFinalSigma = 0x3C2;
constexpr char32_t kCapitalDottedI = 0x130;
constexpr char32_t kCombiningDot = 0x307;

/// The last range that begins at or before `c`, or null.
template <class Range>
const Range* range_before(std::span<const Range> ranges, char32_t c) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), static_cast<std::uint32_t>(c),
                       [](std::uint32_t code, const Range& range) { return code < range.first; });
  return after == ranges.begin() ? nullptr : &*(after - 1);
}

bool is_in(std::span<const CodeRange> ranges, char32_t c) {
  const CodeRange* range = range_before(ranges, c);
  return range != nullptr && c <= range->last;
}

/// Characters across which the search for the word's other letters goes on.
bool continues_word(char32_t c) {
  constexpr std::u32string_view kInside = U"'.:\u00AD\u00B7\u2018\u2019\u2024\u2027_";
  const bool digit = c >= '0' && c <= '9';
  const bool accent = c >= 0x300 && c <= 0x36F;
  return digit || accent || kInside.find(c) != std::u32string_view::npos || is_in(ptb::kLetters, c);
}

/// Whether the sigma at `index` closes its word: a letter with case before it and none behind it.
template <class Char>
bool is_final_sigma(std::basic_string_view<Char> text, std::size_t index) {
  for (std::size_t i = index + 1; i < text.size() && continues_word(text[i]); ++i) {
    if (is_in(ptb::kCased, text[i])) return false;
  }
  for (std::size_t i = index; i > 0 && continues_word(text[i - 1]); --i) {
    if (is_in(ptb::kCased, text[i - 1])) return true;
  }
  return false;
}

bool is_pair(std::u16string_view text, std::size_t i) {
  return i + 1 < text.size() && (text[i] & 0xFC00) == 0xD800 && (text[i + 1] & 0xFC00) == 0xDC00;
}

/// Appends the lower-case form of the character that ends at `index`.
template <class Char>
void append_lowered(std::string& out, char32_t c, std::basic_string_view<Char> text, std::size_t index) {
  if (c == kCapitalDottedI) {
    append_utf8(out, 'i');
    append_utf8(out, kCombiningDot);
  } else if (c == kCapitalSigma && is_final_sigma(text, index)) {
    append_utf8(out, kFinalSigma);
  } else {
    append_utf8(out, lower_case(c));
  }
}

}  // namespace

char32_t lower_case(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  const LowerRun* run = range_before(ptb::kLowerRuns, c);
  if (run == nullptr || c > run->last || (c - run->first) % run->step != 0) return c;
  return run->partner + (c - run->first);
}

void append_lower_case(std::string& out, std::u16string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    char32_t c = text[i];
    if (is_pair(text, i)) {
      c = 0x10000 + ((c & 0x3FF) << 10) + (text[++i] & 0x3FF);
    } else if (c >= 0xD800 && c <= 0xDFFF) {
      c = kReplacementCharacter;
    }
    append_lowered(out, c, text, i);
  }
}

void append_lower_case(std::string& out, std::u32string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) append_lowered(out, text[i], text, i);
}

std::string lowered(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return lowered_ascii(text);
  std::string out;
  const std::vector<char32_t> code_points = to_code_points(text);
  append_lower_case(out, std::u32string_view(code_points.data(), code_points.size()));
  return out;
}

}  // namespace capella::text
