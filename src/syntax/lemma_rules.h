// Regular inflection: which ending comes off a verb or a plural, and what takes its place.
//
// These are the rules for words that are in no list. They look at no more than the last few letters, and they
// are often wrong about English ("stopped" gives "stopp"); the words for which the program that we follow
// knows better are in lemma_exceptions.inc.
#pragma once

#include <cstdint>
#include <string_view>

namespace capella::syntax {

/// What may stand before a verb without changing how it is inflected.
inline constexpr std::string_view kVerbPrefixes[] = {"be", "ex", "in", "mis", "pre", "pro", "re"};

enum class Inflection : std::uint8_t { verb, plural };

/// The lemma is the word without its last `cut` letters and with `add` behind the rest.
struct LemmaChange {
  std::size_t cut = 0;
  std::string_view add;
};

/// What to do with a word of small letters, digits, ' and +, in which there is no hyphen.
LemmaChange change_by_rule(std::string_view word, Inflection inflection);

}  // namespace capella::syntax
