// A caption that stops in the middle, as a generator's does that ran out of words.
#include <algorithm>

#include "world/challenge/edits.h"

namespace capella::world::challenge {
namespace {

constexpr std::size_t kFewestWordsToCut = 7;

// What cannot be the end of a sentence. Prepositions that can also be adverbs ("a man looking on") are left
// out.
constexpr std::string_view kOpen[] = {"a",    "an", "the",   "his", "her",  "their", "its",
                                      "and",  "of", "with",  "at",  "from", "for",   "into",
                                      "onto", "to", "while", "is",  "are",  "very"};

// Adjectives that can stand for things.
constexpr std::string_view kAlsoNouns[] = {"orange", "other", "ski", "young", "elderly"};

bool is_open(const ParsedCaption& caption, std::size_t last) {
  const ParsedWord& word = caption[last];
  if (word.lower == "her" || word.lower == "his") {  // not "a boy kisses her and ..."
    const std::string& next = caption[last + 1].tag;
    return next.starts_with("NN") || next.starts_with("JJ");
  }
  if (is_one_of(word.lower, kOpen)) return true;
  if (is_one_of(word.lower, kAlsoNouns)) return false;
  // An adjective that waits for its noun: "a man in a blue".
  return word.relation == "amod" && word.tag == "JJ" && last > 0 && caption[last - 1].tag == "DT" &&
         word.head > static_cast<int>(last);
}

}  // namespace

std::optional<Edit> truncated(const ParsedCaption& caption) {
  const std::size_t count = caption.size();
  if (count < kFewestWordsToCut) return {};
  const auto distance = [&](std::size_t kept) {
    return kept * 2 > count ? kept * 2 - count : count - kept * 2;
  };
  std::size_t best = 0;
  for (std::size_t kept = 4; kept + 1 < count; ++kept) {
    const bool near_middle = 5 * kept >= 2 * count && 3 * kept <= 2 * count;
    if (!near_middle || !is_open(caption, kept - 1) || caption[kept].lower == ",") continue;
    if (best == 0 || distance(kept) < distance(best)) best = kept;
  }
  if (best == 0) return {};
  const std::size_t begin = caption[0].begin;
  return Edit{std::string(caption.text().substr(begin, caption[best - 1].end - begin)),
              "... " + caption[best - 1].lower};
}

}  // namespace capella::world::challenge
