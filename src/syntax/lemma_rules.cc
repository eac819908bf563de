#include "syntax/lemma_rules.h"

#include <algorithm>

namespace capella::syntax {
namespace {

bool is_one_of(char c, std::string_view letters) {
  return letters.find(c) != std::string_view::npos;
}

bool is_vowel(char c) {
  return is_one_of(c, "aeiou");
}
bool is_vowel_or_y(char c) {
  return is_one_of(c, "aeiouy");
}
bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_consonant(char c) {
  return is_letter(c) && !is_vowel(c);
}

/// The letter `back` places before the end, counted from 1; 0 if the word is shorter.
char from_end(std::string_view word, std::size_t back) {
  return back <= word.size() ? word[word.size() - back] : '\0';
}

/// Whether the stem ends in a letter twice behind a consonant and one vowel: "ball" as against "aall".
bool ends_twice(std::string_view stem) {
  return from_end(stem, 1) == from_end(stem, 2) && is_vowel(from_end(stem, 3)) &&
         is_consonant(from_end(stem, 4));
}

/// Whether one of these vowels stands before the last letter, and no other vowel before that: "bak" as
/// against "soak".
bool has_short_vowel(std::string_view stem, std::string_view vowels) {
  return is_one_of(from_end(stem, 2), vowels) && !is_vowel(from_end(stem, 3));
}

constexpr bool prefixes_exclude_each_other() {
  for (const std::string_view prefix : kVerbPrefixes) {
    for (const std::string_view other : kVerbPrefixes) {
      if (prefix != other && prefix.starts_with(other)) return false;
    }
  }
  return true;
}
constexpr bool prefixes_have_vowels() {
  return std::all_of(std::begin(kVerbPrefixes), std::end(kVerbPrefixes), [](std::string_view prefix) {
    return prefix.find_first_of("aeiou") != std::string_view::npos;
  });
}
// So there is one way to cut them off, and consonants alone begin with none.
static_assert(prefixes_exclude_each_other() && prefixes_have_vowels());

/// What is left behind all prefixes. A word may have as many as its writer likes.
std::string_view behind_prefixes(std::string_view text) {
  const auto begins_text = [&text](std::string_view prefix) { return text.starts_with(prefix); };
  for (;;) {
    const auto found = std::find_if(std::begin(kVerbPrefixes), std::end(kVerbPrefixes), begins_text);
    if (found == std::end(kVerbPrefixes)) return text;
    text.remove_prefix(found->size());
  }
}

/// Whether the text is nothing but prefixes.
bool is_prefixes(std::string_view text) {
  return behind_prefixes(text).empty();
}

/// Whether the text is prefixes and at least one consonant.
bool is_prefixes_and_consonants(std::string_view text) {
  const std::string_view rest = behind_prefixes(text);
  return !rest.empty() && std::all_of(rest.begin(), rest.end(), is_consonant);
}

/// Whether a stem in -et, -it or -or has lost an e: when it has one syllable behind its prefixes, or for some
/// consonants before the vowel.
bool light_syllable_lost_e(std::string_view stem, bool past) {
  const char last = from_end(stem, 1), second = from_end(stem, 2), third = from_end(stem, 3),
             fourth = from_end(stem, 4);
  if (is_prefixes_and_consonants(stem.substr(0, stem.size() - 2))) return true;
  if (!is_consonant(fourth)) return false;
  if (last == 't') return second == 'e' && third == 'l';
  return third == 'c' || third == 'l' || (third == 't' && fourth != 'c') || (third == 'n' && past);
}

/// Whether the stem is a consonant, a vowel and -ng behind its prefixes: "bang" as against "change".
bool is_short_ng(std::string_view stem) {
  if (!stem.ends_with("ng") || stem.size() < 4 || !is_vowel(from_end(stem, 3)) ||
      !is_consonant(from_end(stem, 4))) {
    return false;
  }
  return stem.size() == 4 || is_prefixes(stem.substr(0, stem.size() - 4));
}

/// Whether a vowel and two consonants stand before -eat: "permeat" as against "defeat".
bool is_long_eat(std::string_view stem) {
  const auto consonant = [stem](std::size_t back) {
    return is_consonant(from_end(stem, back)) && from_end(stem, back) != 'y';
  };
  return stem.ends_with("eat") && consonant(4) && consonant(5) && is_vowel_or_y(from_end(stem, 6));
}

/// Whether a stem that ends in a consonant, cut off before -ed or -ing, has lost an e.
bool consonant_lost_e(std::string_view stem, bool past) {
  const char last = from_end(stem, 1), second = from_end(stem, 2), third = from_end(stem, 3);
  if (!is_letter(last) || !is_letter(second)) return true;
  if (second == 'y' && !is_one_of(last, "cgv")) return true;
  if (is_vowel(second) && third == 'u' && from_end(stem, 4) == 'q')
    return !(past && second == 'e' && last == 'r');
  switch (last) {
    case 'c':
    case 'v':
      return !ends_twice(stem);
    case 'g':
      return !ends_twice(stem) && !is_short_ng(stem);
    case 'd':
      return is_vowel(second) && !is_one_of(third, "aeio");
    case 'h':
      return second == 't' || has_short_vowel(stem, "aeiou");
    case 'l':
      if (is_vowel(second)) return has_short_vowel(stem, "aeiou");
      return !is_one_of(second, "rw") && !ends_twice(stem);
    case 'n':
      return has_short_vowel(stem, "i");
    case 'p':
    case 'w':
    case 'x':
      return false;
    case 'r':
      return has_short_vowel(stem, "aiu") || (second == 'o' && light_syllable_lost_e(stem, past));
    case 's':
      if (second != 'u') return second != 's';
      return is_one_of(third, "af") || (third == 'o' && is_one_of(from_end(stem, 4), "hlmp"));
    case 't':
      if (second == 'a') return !is_one_of(third, "eo") || is_long_eat(stem);
      return has_short_vowel(stem, "ou") || (is_one_of(second, "ei") && light_syllable_lost_e(stem, past));
    case 'z':
      return is_vowel_or_y(second);
    default:
      return has_short_vowel(stem, "aeiou");
  }
}

/// Digits and apostrophes count as vowels here.
bool has_vowel_or_y(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return is_vowel_or_y(c) || !is_letter(c); });
}

/// Without a vowel a stem is none, but for what ends in -ss or in a consonant and -z.
bool may_be_stem(std::string_view stem) {
  const char last = from_end(stem, 1), second = from_end(stem, 2);
  if (stem.size() > 2 && (last == 'z' ? is_consonant(second) : last == 's' && second == 's')) return true;
  return has_vowel_or_y(stem);
}

LemmaChange past(std::string_view word) {
  const std::string_view stem = word.substr(0, word.size() - 2);
  const char last = from_end(stem, 1), second = from_end(stem, 2);
  if (stem.empty() || last == 'e') return {};
  if (last == 'i' && stem.size() > 2 && is_consonant(second)) return {3, "y"};
  if (stem.size() <= 2) return has_vowel_or_y(stem) ? LemmaChange{1, ""} : LemmaChange{};
  if (last == 'i') return {2, ""};
  if (is_one_of(last, "aoy")) return {is_vowel_or_y(second) ? 2u : 1u, ""};
  if (last == 'u') return {1, ""};
  if (!may_be_stem(stem)) return {};
  return {consonant_lost_e(stem, true) ? 1u : 2u, ""};
}

LemmaChange present_participle(std::string_view word) {
  const std::string_view stem = word.substr(0, word.size() - 3);
  const char last = from_end(stem, 1), second = from_end(stem, 2);
  if (!may_be_stem(stem)) return {};
  if (stem.size() == 1) return {3, "e"};
  if (last == 'y' || last == 'o') return {3, ""};
  if (is_one_of(last, "aei")) return {3, is_vowel_or_y(second) && stem.size() > 2 ? "" : "e"};
  if (last == 'u' || stem.size() == 2) return {3, "e"};
  return {3, consonant_lost_e(stem, false) ? "e" : ""};
}

/// -es and -s, which verbs and nouns share.
LemmaChange s_ending(std::string_view word) {
  const char second = from_end(word, 2), third = from_end(word, 3), fourth = from_end(word, 4),
             fifth = from_end(word, 5);
  if (word.size() == 1 || is_one_of(second, "su")) return {};
  if (second == 'i' && third == 's') return {};
  if (second != 'e' || word.size() < 4) return {1, ""};
  bool takes_es = false;
  if (third == 'x') takes_es = true;
  if (third == 'z') takes_es = !is_vowel_or_y(fourth);
  if (third == 'h') takes_es = is_one_of(fourth, "cs") && word.size() > 4;
  if (third == 'o') takes_es = !is_vowel_or_y(fourth) && !(fourth == 'h' && fifth == 's');
  if (third == 's') {
    takes_es = !is_one_of(fourth, "aeio");
    if (fourth == 'n') takes_es = fifth != 'o';
    if (fourth == 'r') takes_es = !is_vowel(fifth);
    if (fourth == 'u') {
      takes_es = fifth != 'a' && fifth != 'f' && !(fifth == 'o' && is_one_of(from_end(word, 6), "hlmp"));
    }
  }
  if (third == 'i' && word.size() > 4 && is_consonant(fourth)) return {3, "y"};
  return {takes_es ? 2u : 1u, ""};
}

bool is_roman_number(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return is_one_of(c, "cdilmvx"); });
}

}  // namespace

LemmaChange change_by_rule(std::string_view word, Inflection inflection) {
  if (word.ends_with('s')) return s_ending(word);
  if (inflection == Inflection::verb) {
    if (word.ends_with("ed")) return past(word);
    if (word.ends_with("ing")) return present_participle(word);
    return {};
  }
  if (word.size() > 2 && word.ends_with("iia")) return {2, "um"};
  if (word.size() > 2 && (word.ends_with("ia") || word.ends_with("la"))) return {1, "um"};
  if (word.size() > 3 && word.ends_with("zoa")) return {1, "on"};
  if (word.size() > 3 && word.ends_with("ata")) return {2, ""};
  if (word.ends_with('i') && word.size() > 1)
    return is_roman_number(word) ? LemmaChange{} : LemmaChange{1, "us"};
  if (word.ends_with("ae") && word.size() > 2) return {1, ""};
  if (word.ends_with("men") && word.size() > 3) return {2, "an"};
  return {};
}

}  // namespace capella::syntax
