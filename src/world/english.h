// Small facts about English letters that captions and foils share.
#pragma once

#include <string_view>

namespace capella::world {

constexpr bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Whether "an" stands before the word, which is not empty; right for all words of this world and of FOIL.
constexpr bool takes_an(std::string_view word) {
  return std::string_view("aeiou").find(word.front()) != std::string_view::npos;
}

}  // namespace capella::world
