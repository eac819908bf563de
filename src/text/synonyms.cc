#include "text/synonyms.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"

namespace capella::text {
namespace {

using resource::MeteorData;
using resource::word_key;

// WordNet's rules of detachment for nouns, verbs and adjectives, in METEOR's order.
struct Ending {
  std::string_view suffix;
  std::string_view replacement;
};
constexpr Ending kEndings[] = {
    {"s", ""},    {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"},
    {"ies", "y"}, {"s", ""},    {"ies", "y"}, {"es", "e"},  {"es", ""},     {"ed", "e"},    {"ed", ""},
    {"ing", "e"}, {"ing", ""},  {"er", ""},   {"est", ""},  {"er", "e"},    {"est", "e"},
};

// METEOR counts UTF-16 units: a character beyond U+FFFF is two.
bool has_at_most_two_units(std::string_view word) {
  std::size_t units = 0;
  for (std::size_t position = 0; position < word.size() && units <= 2;) {
    units += decode_utf8(word, position) > 0xFFFF ? 2 : 1;
  }
  return units <= 2;
}

// The word's base form by the rules, or "" if none leads to a word of WordNet.
std::string base_form(std::string_view word, const MeteorData& data) {
  if (word.ends_with("ss") || has_at_most_two_units(word)) return std::string(word);
  const std::string_view kept = word.ends_with("ful") ? "ful" : "";
  for (const Ending& ending : kEndings) {
    if (!word.ends_with(ending.suffix)) continue;
    std::string candidate(word.substr(0, word.size() - ending.suffix.size()));
    candidate += ending.replacement;
    if (data.has_synsets(word_key(candidate))) return candidate.append(kept);
  }
  return "";
}

}  // namespace

std::vector<std::uint32_t> synonym_sets(std::string_view word, const MeteorData& data) {
  std::vector<std::uint32_t> sets;
  const auto add = [&](resource::WordKey key) {
    const auto own = data.synsets(key);
    sets.insert(sets.end(), own.begin(), own.end());
  };
  add(word_key(word));
  if (const auto bases = data.bases(word_key(word)); !bases.empty()) {
    for (const resource::WordKey base : bases) add(base);
  } else {
    add(word_key(base_form(word, data)));
  }
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

}  // namespace capella::text
