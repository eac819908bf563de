#include "scene/lexicon.h"

#include <algorithm>
#include <string>

#include "base/replace_all.h"
#include "base/utf8.h"
#include "scene/letter_case.h"
#include "text/synonyms.h"

namespace capella::scene {
namespace {

constexpr std::string_view kColors[] = {
    "black", "brown", "blue",  "red",   "yellow", "pink",   "gray",   "grey",  "green",
    "dark",  "light", "white", "cream", "orange", "purple", "maroon", "beige", "violet",
};
constexpr std::string_view kNumbers[] = {
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
};
constexpr std::string_view kSizes[] = {
    "baby",        "beefy",        "big",        "bony",          "boundless",   "brawny",    "broad",
    "bulky",       "chunky",       "colossal",   "compact",       "corpulent",   "cosmic",    "cubby",
    "curvy",       "elfin",        "emaciated",  "endless",       "enormous",    "epic",      "expansive",
    "extensive",   "fat",          "fleshy",     "full-size",     "gargantuan",  "gaunt",     "giant",
    "gigantic",    "grand",        "great",      "heavy",         "hefty",       "huge",      "hulking",
    "illimitable", "immeasurable", "immense",    "infinitesimal", "lanky",       "large",     "lean",
    "life-size",   "limitless",    "little",     "mammoth",       "massive",     "meager",    "measly",
    "microscopic", "mini",         "miniature",  "minuscule",     "minute",      "narrow",    "obese",
    "outsized",    "oversize",     "overweight", "paltry",        "petite",      "pint-size", "plump",
    "pocket-size", "portly",       "pudgy",      "puny",          "rotund",      "scanty",    "scraggy",
    "scrawny",     "short",        "sizable",    "skeletal",      "skimpy",      "skinny",    "slender",
    "slim",        "small",        "squat",      "stocky",        "stout",       "strapping", "sturdy",
    "tall",        "teensy",       "teeny",      "teeny-tiny",    "teeny-weeny", "thick",     "thickset",
    "thin",        "tiny",         "titanic",    "towering",      "trifling",    "trim",      "tubby",
    "undersized",  "underweight",  "unlimited",  "vast",          "wee",         "whopping",  "wide",
};

template <std::size_t N>
bool contains(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

WordList list_of(std::string_view word) {
  if (contains(kColors, word)) return WordList::color;
  if (contains(kSizes, word)) return WordList::size;
  if (contains(kNumbers, word)) return WordList::cardinality;
  return WordList::none;
}

// String.hashCode goes by UTF-16 units; HashMap mixes the upper half into the lower one.
std::uint32_t java_hash_of(std::string_view words) {
  std::uint32_t hash = 0;
  for (std::size_t position = 0; position < words.size();) {
    const char32_t c = decode_utf8(words, position);
    if (c > 0xFFFF) hash = 31 * hash + (0xD800 + ((c - 0x10000) >> 10));
    hash = 31 * hash + (c > 0xFFFF ? 0xDC00 + ((c - 0x10000) & 0x3FF) : c);
  }
  return hash ^ (hash >> 16);
}

}  // namespace

Lexicon::Lexicon(const resource::MeteorData* data, const Lexicon* base)
    : data_(data),
      base_(base),
      first_(base == nullptr ? 0 : base->words_.size()),
      words_(base == nullptr ? nullptr : &base->words_) {}

text::WordId Lexicon::intern(std::string_view words) {
  const text::WordId id = words_.intern(words);
  if (id >= first_ && id - first_ == entries_.size()) entries_.push_back(look_up(words));
  return id;
}

Lexicon::Entry Lexicon::look_up(std::string_view words) {
  Entry entry{{}, java_hash_of(words), list_of(words)};
  if (data_ == nullptr) return entry;
  const std::string key = replace_all(std::string_view(trimmed_and_lowered(words)), " ", "_");
  entry.synsets = synsets_.emplace_back(text::synonym_sets(key, *data_));
  return entry;
}

}  // namespace capella::scene
