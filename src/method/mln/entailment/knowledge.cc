#include "method/mln/entailment/knowledge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace capella::method::mln {
namespace {

using resource::WordRelations;

/// WordNet lists rare senses too ("man" as a piece of a game); only the first of each word count.
constexpr std::array<std::size_t, WordRelations::kParts> kMainSenses = {3, 4, 4};
/// But a sentence's word that another may cover can have a rarer one ("instrument" for a guitar).
constexpr std::array<std::size_t, WordRelations::kParts> kSenses = {8, 6, 4};

/// Words that captions use for each other in both directions, though WordNet does not.
constexpr std::pair<std::string_view, std::string_view> kInformal[] = {
    {"people", "person"}, {"someone", "person"}, {"somebody", "person"}, {"guy", "man"},
    {"gentleman", "man"}, {"lady", "woman"},     {"kid", "child"},       {"bicycle", "bike"},
};

std::string_view plain_word(std::string_view word) {
  for (const auto& [informal, plain] : kInformal) {
    if (word == informal) return plain;
  }
  return word;
}

/// Kinds that people mean and WordNet does not have.
constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
    {"boy", "child"}, {"girl", "child"}, {"kitten", "cat"}, {"kitty", "cat"},
    {"puppy", "dog"}, {"calf", "cow"},   {"lamb", "sheep"},
};

/// At one time a body does one of each row, and nothing of the first while it does something of the second.
constexpr std::string_view kPostures[] = {"sit", "stand", "lie", "kneel", "crouch", "squat"};
constexpr std::string_view kAtRest[] = {"sit",  "stand", "lie", "kneel", "sleep",
                                        "rest", "stop",  "nap", "doze",  "relax"};
constexpr std::string_view kInMotion[] = {"run",    "walk", "jump",  "leap",  "swim",   "race",
                                          "sprint", "jog",  "dance", "climb", "gallop", "march",
                                          "skate",  "hike", "wade",  "dive",  "hop"};

template <std::size_t N>
bool has(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool are_exclusive_actions(std::string_view a, std::string_view b) {
  if (has(kPostures, a) && has(kPostures, b)) return true;
  return (has(kAtRest, a) && has(kInMotion, b)) || (has(kAtRest, b) && has(kInMotion, a));
}

bool intersect(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    if (*i < *j) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

void make_set(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Whether the noun is the verb's doing: "dancing" and "dance".
bool is_gerund_of(const Meaning& noun, const Meaning& verb) {
  const std::string_view word = noun.word;
  if (noun.part != PartOfSpeech::noun || verb.part != PartOfSpeech::verb || !word.ends_with("ing"))
    return false;
  const std::string_view stem = word.substr(0, word.size() - 3), base = verb.word;
  if (stem == base || (base.ends_with('e') && stem == base.substr(0, base.size() - 1))) return true;
  return stem.size() == base.size() + 1 && stem.starts_with(base) && stem.back() == base.back();
}

}  // namespace

Knowledge::Knowledge(const WordRelations* relations) : relations_(relations) {
  if (relations == nullptr) return;
  const auto add_first_sense = [&](std::vector<std::uint32_t>& list, std::string_view word) {
    const auto senses = relations->senses(word, WordRelations::Part::noun);
    if (!senses.empty()) list.push_back(senses.front());
  };
  for (const std::string_view word :
       {"clothing", "garment", "headdress", "footwear", "jewelry", "eyeglasses"})
    add_first_sense(clothing_, word);
  for (const std::string_view word : {"person", "animal"}) add_first_sense(living_, word);
  make_set(clothing_);
  make_set(living_);
}

bool Knowledge::is_worn(const Meaning& thing) const {
  return thing.word == "top" || intersect(thing.kinds, clothing_);
}

bool Knowledge::is_alive(const Meaning& thing) const {
  return intersect(thing.kinds, living_);
}

Meaning Knowledge::meaning(std::string word, PartOfSpeech part) const {
  Meaning made;
  made.word = plain_word(word);
  made.part = part;
  if (relations_ == nullptr || part == PartOfSpeech::other) return made;
  std::string key = made.word;
  std::ranges::replace(key, ' ', '_');
  const auto at = static_cast<std::size_t>(part);
  const auto senses = relations_->senses(key, static_cast<WordRelations::Part>(part));
  const auto first = [&](std::size_t most) {
    const auto used = senses.first(std::min(senses.size(), most));
    return std::vector<std::uint32_t>(used.begin(), used.end());
  };
  made.senses = first(kSenses[at]);
  made.main_senses = first(kMainSenses[at]);
  made.kinds = kinds(made.main_senses, part == PartOfSpeech::noun ? 1 : made.main_senses.size());
  make_set(made.main_senses);
  make_set(made.senses);
  return made;
}

/// The first `most` senses with all that they are kinds of, the others with their parents alone.
std::vector<std::uint32_t> Knowledge::kinds(std::span<const std::uint32_t> senses, std::size_t most) const {
  std::vector<std::uint32_t> found(senses.begin(), senses.begin() + std::min(most, senses.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const std::uint32_t parent : relations_->parents(found[i])) {
      if (std::ranges::find(found, parent) == found.end()) found.push_back(parent);
    }
  }
  for (const std::uint32_t sense : senses.subspan(std::min(most, senses.size()))) {
    found.push_back(sense);
    std::ranges::copy(relations_->parents(sense), std::back_inserter(found));
  }
  make_set(found);
  return found;
}

bool Knowledge::is_kind_of(const Meaning& a, const Meaning& b) const {
  if (a.word == b.word) return true;
  if (a.part != b.part) return is_gerund_of(a, b) || is_gerund_of(b, a);
  const std::pair<std::string_view, std::string_view> words(a.word, b.word);
  return std::ranges::find(kKinds, words) != std::end(kKinds) || intersect(a.kinds, b.main_senses);
}

bool Knowledge::is_parent(const Meaning& above, const Meaning& below) const {
  return std::ranges::any_of(below.senses, [&](std::uint32_t sense) {
    return std::ranges::any_of(relations_->parents(sense), [&](std::uint32_t parent) {
      return std::ranges::binary_search(above.senses, parent);
    });
  });
}

bool Knowledge::may_be(const Meaning& a, const Meaning& b) const {
  if (is_kind_of(a, b)) return true;
  if (a.part != b.part || relations_ == nullptr) return false;
  return intersect(a.kinds, b.senses) || (a.part == PartOfSpeech::verb && is_parent(a, b));
}

bool Knowledge::are_opposite_adjectives(const Meaning& a, const Meaning& b) const {
  if (relations_ == nullptr) return false;
  for (const std::string_view opposite : relations_->antonyms(a.word, WordRelations::Part::adjective)) {
    const auto senses = relations_->senses(opposite, WordRelations::Part::adjective);
    for (const std::uint32_t sense : senses.first(std::min<std::size_t>(senses.size(), 2))) {
      if (std::ranges::binary_search(b.kinds, sense)) return true;
    }
  }
  return false;
}

bool Knowledge::exclude_each_other(const Meaning& a, const Meaning& b) const {
  if (a.part != b.part || a.word == b.word) return false;
  if (a.part == PartOfSpeech::verb && are_exclusive_actions(a.word, b.word)) return true;
  if (relations_ == nullptr || a.part == PartOfSpeech::other) return false;
  if (relations_->are_antonyms(a.word, b.word, static_cast<WordRelations::Part>(a.part))) return true;
  if (a.part == PartOfSpeech::adjective)
    return are_opposite_adjectives(a, b) || are_opposite_adjectives(b, a);
  return false;
}

}  // namespace capella::method::mln
