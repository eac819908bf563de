// Small facts about English letters that captions and foils share.
#pragma once

#include <array>
#include <string_view>

namespace capella::world {

constexpr bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Beginnings of words that are spoken otherwise than their first letter says.
inline constexpr std::array<std::string_view, 21> kSpokenAsConsonant = {
    "eu",   "ewe",     "one",  "once",   "ukulele", "unicorn", "unicycl", "uniform", "union", "uniq", "unis",
    "unit", "univers", "urin", "usable", "use",     "using",   "usual",   "utensil", "util",  "ufo"};
inline constexpr std::array<std::string_view, 4> kSpokenAsVowel = {"heir", "honest", "honor", "hour"};

/// Whether "an" stands before the word, which is in lower case and not empty. Right for all words of this
/// world and of FOIL, and for what else stands in captions, abbreviations ("an SUV") aside.
constexpr bool takes_an(std::string_view word) {
  for (const std::string_view begin : kSpokenAsConsonant) {
    if (word.starts_with(begin)) return false;
  }
  for (const std::string_view begin : kSpokenAsVowel) {
    if (word.starts_with(begin)) return true;
  }
  return std::string_view("aeiou").find(word.front()) != std::string_view::npos;
}

}  // namespace capella::world
