// Attributes exchanged between two things. Only attributes of one sort that exclude each other change places:
// a large car and a big dog would both stay what they are.
#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "world/challenge/edits.h"
#include "world/rewrite.h"

namespace capella::world::challenge {
namespace {

/// Attributes of one family are nearly the same; those of two families of one sort exclude each other.
struct Attribute {
  std::string_view word;
  char sort;
  int family;
};

constexpr Attribute kAttributes[] = {
    // colours
    {"red", 'c', 0},
    {"pink", 'c', 0},
    {"orange", 'c', 0},
    {"yellow", 'c', 1},
    {"green", 'c', 2},
    {"blue", 'c', 3},
    {"purple", 'c', 4},
    {"black", 'c', 5},
    {"white", 'c', 6},
    {"gray", 'c', 7},
    {"grey", 'c', 7},
    {"brown", 'c', 8},
    // sizes
    {"large", 's', 0},
    {"big", 's', 0},
    {"huge", 's', 0},
    {"giant", 's', 0},
    {"small", 's', 1},
    {"little", 's', 1},
    {"tiny", 's', 1},
    // ages
    {"old", 'a', 0},
    {"elderly", 'a', 0},
    {"young", 'a', 1},
    // materials
    {"wooden", 'm', 0},
    {"metal", 'm', 1},
    {"plastic", 'm', 2},
    {"brick", 'm', 3},
    {"stone", 'm', 4},
    {"concrete", 'm', 4},
    {"glass", 'm', 5},
    {"leather", 'm', 6},
    // patterns
    {"striped", 'p', 0},
    {"spotted", 'p', 1},
    {"checkered", 'p', 2},
    {"plaid", 'p', 2},
};

// The colour of a person is no colour of clothes, the size of one an age; a picture's are those of nothing in
// it.
constexpr std::string_view kNotSwappedAttributes[] = {
    "man",   "woman",  "boy",        "girl",   "person",   "people",  "child",   "kid",
    "baby",  "lady",   "guy",        "player", "couple",   "toddler", "student", "rider",
    "skier", "surfer", "group",      "crowd",  "herd",     "photo",   "picture", "image",
    "shot",  "skater", "photograph", "adult",  "teenager", "boarder", "batter"};

const Attribute* attribute(std::string_view word) {
  const auto* const found = std::find_if(std::begin(kAttributes), std::end(kAttributes),
                                         [&](const Attribute& one) { return one.word == word; });
  return found == std::end(kAttributes) ? nullptr : found;
}

struct Place {
  const Attribute* attribute;
  std::size_t word, noun;
};

bool is_joined(const ParsedCaption& caption, std::size_t word) {
  const auto joins = [&](std::size_t i) { return caption[i].tag == "CC" || caption[i].lower == ","; };
  const auto tells = [&](const ParsedWord& one) { return one.tag.starts_with("JJ") || attribute(one.lower); };
  const bool before = word > 1 && joins(word - 1) && tells(caption[word - 2]);
  return before || joins(word + 1) || caption.child(word, "conj") || caption[word].relation == "conj";
}

// The attributes that stand before their nouns, alone of their sort: in "a red and white bus" each is half.
std::vector<Place> places(const ParsedCaption& caption) {
  std::vector<Place> found;
  for (std::size_t i = 0; i + 1 < caption.size(); ++i) {
    const ParsedWord& word = caption[i];
    const Attribute* const known = attribute(word.lower);
    if (!known || (word.relation != "amod" && word.relation != "compound") || is_joined(caption, i)) continue;
    const auto noun = static_cast<std::size_t>(word.head);
    const auto phrase = base_phrase(caption, noun);
    if (!phrase || i < phrase->first || i >= noun) continue;
    const std::string& lemma = caption[noun].lemma;
    if ((known->sort == 'c' || known->sort == 's') && is_one_of(lemma, kNotSwappedAttributes)) continue;
    found.push_back({known, i, noun});
  }
  return found;
}

bool is_alone(const std::vector<Place>& all, const Place& place) {
  return std::none_of(all.begin(), all.end(), [&](const Place& other) {
    return other.word != place.word && other.noun == place.noun &&
           other.attribute->sort == place.attribute->sort;
  });
}

AttributeSwap swap(const ParsedCaption& caption, const Place& a, const Place& b) {
  const auto splice = [&](const Place& to, const Place& from) {
    const ParsedWord& old = caption[to.word];
    return Splice{old.begin, old.end - old.begin, caption[from.word].lower};
  };
  AttributeSwap edit;
  edit.text = spliced(caption.text(), {splice(a, b), splice(b, a)});
  edit.note = caption[a.word].lower + " <-> " + caption[b.word].lower;
  edit.first = {caption[b.word].lower, caption[a.noun].lemma};
  edit.second = {caption[a.word].lower, caption[b.noun].lemma};
  return edit;
}

}  // namespace

bool has_two_attributes(std::string_view caption) {
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < caption.size();) {
    std::size_t end = begin;
    while (end < caption.size() && is_letter(caption[end])) ++end;
    found += end > begin && attribute(lowered_ascii(caption.substr(begin, end - begin))) ? 1 : 0;
    begin = end + 1;
  }
  return found >= 2;
}

bool are_alike(std::string_view a, std::string_view b) {
  const Attribute *const first = attribute(a), *const second = attribute(b);
  return a == b || (first && second && first->sort == second->sort && first->family == second->family);
}

std::vector<AttributeSwap> swapped_attributes(const ParsedCaption& caption) {
  const std::vector<Place> all = places(caption);
  std::vector<AttributeSwap> edits;
  for (const Place& a : all) {
    for (const Place& b : all) {
      if (b.word <= a.word || a.noun == b.noun || a.attribute->sort != b.attribute->sort) continue;
      if (a.attribute->family == b.attribute->family || !is_alone(all, a) || !is_alone(all, b)) continue;
      if (caption[a.noun].lemma != caption[b.noun].lemma) edits.push_back(swap(caption, a, b));
    }
  }
  return edits;
}

}  // namespace capella::world::challenge
