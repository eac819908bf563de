// Names that .mln files can hold for any words.
#include <fmt/format.h>

#include "logic/language/language.h"
#include "logic/language/lexer.h"

namespace capella::logic {
namespace {

bool is_part_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Split at all that is no letter and no digit, each word capitalised, joined.
std::string joined(std::string_view words) {
  std::string name;
  bool begins = true;
  for (const char c : words) {
    if (is_part_of_word(c)) name += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = !is_part_of_word(c);
  }
  if (name.empty()) return "X";
  return name[0] >= '0' && name[0] <= '9' ? "N" + name : name;
}

}  // namespace

const std::string& Names::of(std::string_view words) {
  const auto [place, added] = names_.try_emplace(std::string(words));
  if (!added) return place->second;
  const std::string base = joined(words);
  std::string name = base;
  for (std::size_t k = 2; is_reserved(name) || !taken_.insert(name).second; ++k)
    name = fmt::format("{}_{}", base, k);
  return place->second = name;
}

}  // namespace capella::logic
