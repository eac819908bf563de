// Atoms as sentences: "a man is riding a bike", "a dog is on a bench".
#include <array>
#include <string>
#include <string_view>

#include "method/mln/entailment/entailment.h"

namespace capella::method::mln {
namespace {

/// First words of predicates that are no verbs.
constexpr std::string_view kPrepositions[] = {
    "on",     "in",      "at",         "under", "above", "below",   "behind",  "beside",  "near",
    "next",   "inside",  "outside",    "over",  "by",    "with",    "of",      "to",      "from",
    "around", "between", "left",       "right", "front", "against", "along",   "across",  "through",
    "into",   "onto",    "off",        "out",   "up",    "down",    "atop",    "beneath", "among",
    "toward", "towards", "underneath", "for",   "close", "far",     "without", "within",  "upon",
    "past",   "about",   "like",       "as",    "away",
};

bool is_vowel(char c) {
  return std::string_view("aeiou").find(c) != std::string_view::npos;
}

/// "an apple", "a unicycle", "an hourglass": by sound as far as the first letters tell.
std::string with_article(const std::string& noun) {
  if (noun.empty()) return noun;
  const std::string_view word = noun;
  const bool sounds_like_you =
      word.starts_with("uni") || word.starts_with("use") || word.starts_with("eu") || word.starts_with("ute");
  const bool is_silent_h = word.starts_with("hour") || word.starts_with("honest") || word.starts_with("heir");
  const bool takes_an = (is_vowel(noun.front()) && !sounds_like_you) || is_silent_h;
  return (takes_an ? "an " : "a ") + noun;
}

std::size_t count_vowel_groups(std::string_view word) {
  std::size_t groups = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (is_vowel(word[i]) && (i == 0 || !is_vowel(word[i - 1]))) ++groups;
  }
  return groups;
}

/// Whether the last letter is written twice before "ing": one short vowel before one consonant, and the
/// stress on it, which words of one vowel have and a few others that captions use.
bool doubles(std::string_view verb) {
  const std::size_t n = verb.size();
  if (n < 3 || is_vowel(verb[n - 1]) || std::string_view("wxyh").find(verb[n - 1]) != std::string_view::npos)
    return false;
  if (!is_vowel(verb[n - 2]) ||
      (is_vowel(verb[n - 3]) && !verb.substr(n - 3).starts_with("ui") && !verb.ends_with("quit")))
    return false;
  if (count_vowel_groups(verb) == 1) return true;
  return verb.ends_with("begin") || verb.ends_with("forget") || verb.ends_with("upset") ||
         verb.ends_with("unzip") || verb.ends_with("refer");
}

/// "ride" -> "riding", "sit" -> "sitting", "lie" -> "lying".
std::string ing_form(std::string_view verb) {
  std::string stem(verb);
  if (verb == "be") return "being";
  if (verb.ends_with("ie")) return stem.substr(0, stem.size() - 2) + "ying";
  if (verb.ends_with("e") && !verb.ends_with("ee") && !verb.ends_with("ye") && !verb.ends_with("oe")) {
    stem.pop_back();
    return stem + "ing";
  }
  if (verb.ends_with("ic")) return stem + "king";
  if (doubles(verb)) stem += verb.back();
  return stem + "ing";
}

}  // namespace

std::string hypothesis_text(const io::Triplet& atom) {
  const std::string& predicate = atom.predicate;
  const std::size_t blank = std::min(predicate.find(' '), predicate.size());
  const std::string_view first = std::string_view(predicate).substr(0, blank);
  const std::string rest = predicate.substr(blank);
  bool is_preposition = false;
  for (const std::string_view known : kPrepositions) is_preposition = is_preposition || first == known;
  std::string action = is_preposition ? std::string(first) : ing_form(first);
  if (first == "left" || first == "right") action = "to the " + std::string(first);
  if (first == "have") return with_article(atom.subject) + " has" + rest + " " + with_article(atom.object);
  return with_article(atom.subject) + " is " + action + rest + " " + with_article(atom.object);
}

}  // namespace capella::method::mln
