// The right words in a wrong order. Words with a meaning of their own change places among each other, so that
// the caption keeps its words, its articles and its rhythm, and says nothing.
#include <algorithm>

#include "world/challenge/edits.h"
#include "world/english.h"
#include "world/rewrite.h"

namespace capella::world::challenge {
namespace {

constexpr std::size_t kFewest = 4;  // words to exchange
constexpr std::size_t kTries = 500;
constexpr std::string_view kEmpty[] = {"is",  "are",  "was", "were", "be",   "been", "being",
                                       "has", "have", "had", "top",  "next", "front"};

bool has_meaning(const ParsedWord& word) {
  return (word.tag.starts_with("NN") || word.tag.starts_with("VB") || word.tag.starts_with("JJ")) &&
         !is_one_of(word.lower, kEmpty);
}

// Of nouns, verbs and adjectives.
char sort_of(const ParsedWord& word) {
  return word.tag.front();
}

bool fits_article(const ParsedCaption& caption, std::size_t place, std::size_t from) {
  if (place == 0) return true;
  const std::string_view article = caption[place - 1].lower;
  if (article != "a" && article != "an") return true;
  return article == (takes_an(caption[from].lower) ? "an" : "a");
}

// "It's" is two words that cannot be parted.
bool is_glued(const ParsedCaption& caption) {
  return std::any_of(caption.words().begin() + 1, caption.words().end(), [&](const ParsedWord& word) {
    return word.lower != "," && caption.text()[word.begin - 1] != ' ';
  });
}

// Whether no word stands where an equal one stood, articles fit, and some words stand where another sort did.
bool is_good(const ParsedCaption& caption, const std::vector<std::size_t>& places,
             const std::vector<std::size_t>& order) {
  std::size_t misplaced = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ParsedWord& old = caption[places[i]];
    const ParsedWord& word = caption[order[i]];
    if (old.lower == word.lower || !fits_article(caption, places[i], order[i])) return false;
    misplaced += sort_of(old) != sort_of(word) ? 1 : 0;
  }
  return misplaced >= 2;
}

}  // namespace

std::optional<Edit> reordered(const ParsedCaption& caption, Random& random) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < caption.size(); ++i) {
    if (has_meaning(caption[i])) places.push_back(i);
  }
  if (places.size() < kFewest || is_glued(caption)) return {};
  std::vector<std::size_t> order = places;
  for (std::size_t i = 0; i < kTries; ++i) {
    shuffle(order, random);
    if (!is_good(caption, places, order)) continue;
    std::vector<Splice> splices;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const ParsedWord& old = caption[places[k]];
      splices.push_back({old.begin, old.end - old.begin, caption.phrase(order[k], order[k])});
    }
    return Edit{spliced(caption.text(), splices), "reordered"};
  }
  return {};
}

}  // namespace capella::world::challenge
