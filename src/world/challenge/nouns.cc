#include "world/challenge/nouns.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "syntax/lemma.h"
#include "world/world_nouns.h"

namespace capella::world::challenge {
namespace {

using Part = resource::WordRelations::Part;

// Things that people tell when they see one. A cup or a chair is often there and not told.
constexpr std::string_view kStriking[] = {
    "airplane", "bus",      "train",      "boat",         "motorcycle", "fire hydrant", "stop sign",
    "cat",      "dog",      "horse",      "cow",          "elephant",   "bear",         "zebra",
    "giraffe",  "umbrella", "suitcase",   "kite",         "surfboard",  "skateboard",   "snowboard",
    "banana",   "pizza",    "cake",       "hot dog",      "donut",      "sandwich",     "couch",
    "bed",      "toilet",   "teddy bear", "parking meter"};

// WordNet's toilet is also the room; and one watches TV, but no TV set.
constexpr std::string_view kNoSynonyms[] = {"bathroom", "bathrooms", "tv set", "tv sets"};

// The base form as WordNet writes it. Nothing if a plural is asked for and the term is none.
std::optional<std::string> base_of(std::string_view term, bool plural) {
  std::string base(term);
  if (plural) {
    const std::size_t last = term.rfind(' ') + 1;  // 0 for a single word
    base = std::string(term.substr(0, last)) + syntax::lemma(term.substr(last), "NNS");
    if (base == term) return {};
  }
  std::replace(base.begin(), base.end(), ' ', '_');
  return base;
}

bool share_a_usual_sense(std::string_view a, std::string_view b, const resource::WordRelations& wordnet) {
  const auto senses = wordnet.senses(a, Part::noun);
  const auto others = wordnet.senses(b, Part::noun);
  for (std::size_t i = 0; i < std::min<std::size_t>(senses.size(), 2); ++i) {
    for (std::size_t k = 0; k < others.size() && i + k <= 1; ++k) {
      if (senses[i] == others[k]) return true;
    }
  }
  return false;
}

std::vector<std::string> synonyms_of(const FoilNoun& noun, const FoilNouns& nouns,
                                     const resource::WordRelations& wordnet) {
  std::vector<std::string> synonyms;
  const auto base = base_of(noun.text, noun.plural);
  if (!base) return synonyms;
  for (const std::string& term : nouns.terms_of(noun.category)) {
    if (term == noun.text ||
        std::find(std::begin(kNoSynonyms), std::end(kNoSynonyms), term) != std::end(kNoSynonyms))
      continue;
    const auto other = base_of(term, noun.plural);
    if (other && share_a_usual_sense(*base, *other, wordnet)) synonyms.push_back(term);
  }
  return synonyms;
}

}  // namespace

ChallengeNouns make_caption_nouns(const resource::WordRelations& wordnet) {
  ChallengeNouns made;
  const std::vector<FoilNoun>& nouns = made.nouns.nouns();
  for (std::uint32_t i = 0; i < nouns.size(); ++i) {
    made.synonyms.push_back(synonyms_of(nouns[i], made.nouns, wordnet));
    if (std::find(std::begin(kStriking), std::end(kStriking), nouns[i].text) != std::end(kStriking))
      made.addable.push_back(i);
  }
  return made;
}

ChallengeNouns make_world_challenge_nouns() {
  ChallengeNouns made{make_world_nouns(), {}, {}};
  const std::vector<FoilNoun>& nouns = made.nouns.nouns();
  for (std::uint32_t i = 0; i < nouns.size(); ++i) {
    const ClassInfo& of = info(static_cast<Class>(nouns[i].category));
    if (!nouns[i].plural && nouns[i].text == of.nouns[0].singular && of.kind != Kind::person &&
        of.kind != Kind::clothing)
      made.addable.push_back(i);
    std::vector<std::string>& synonyms = made.synonyms.emplace_back();
    for (const FoilNoun& other : nouns) {
      if (other.category == nouns[i].category && other.plural == nouns[i].plural &&
          other.text != nouns[i].text)
        synonyms.push_back(other.text);
    }
  }
  return made;
}

}  // namespace capella::world::challenge
