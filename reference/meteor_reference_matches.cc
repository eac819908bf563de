#include "reference/meteor_reference_matches.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>

#include <libstemmer.h>

namespace capella::reference {
namespace {

using Synsets = std::set<std::uint32_t>;

struct Ending {
  std::u32string_view suffix;
  std::u32string_view replacement;
};
constexpr Ending kEndings[] = {
    {U"s", U""},      {U"ses", U"s"},   {U"xes", U"x"}, {U"zes", U"z"}, {U"ches", U"ch"},
    {U"shes", U"sh"}, {U"men", U"man"}, {U"ies", U"y"}, {U"s", U""},    {U"ies", U"y"},
    {U"es", U"e"},    {U"es", U""},     {U"ed", U"e"},  {U"ed", U""},   {U"ing", U"e"},
    {U"ing", U""},    {U"er", U""},     {U"est", U""},  {U"er", U"e"},  {U"est", U"e"},
};

/// The base form of a regular form, as far as WordNet has it; empty if it does not.
MeteorWord morph(const MeteorWord& word, const MeteorWords& words) {
  if (word.ends_with(U"ss") || word.size() <= 2) return word;
  const MeteorWord end = word.ends_with(U"ful") ? U"ful" : U"";
  for (const Ending& ending : kEndings) {
    if (!word.ends_with(ending.suffix)) continue;
    MeteorWord candidate = word.substr(0, word.size() - ending.suffix.size());
    candidate += ending.replacement;
    if (words.synsets.contains(candidate)) return candidate + end;
  }
  return U"";
}

void add_synsets(const MeteorWord& word, const MeteorWords& words, Synsets& sets) {
  const auto found = words.synsets.find(word);
  if (found != words.synsets.end()) sets.insert(found->second.begin(), found->second.end());
}

Synsets synsets_of(const MeteorWord& word, const MeteorWords& words) {
  Synsets sets;
  add_synsets(word, words, sets);
  const auto irregular = words.bases.find(word);
  if (irregular == words.bases.end()) {
    add_synsets(morph(word, words), words, sets);
  } else {
    for (const MeteorWord& base : irregular->second) add_synsets(base, words, sets);
  }
  return sets;
}

bool intersect(const Synsets& a, const Synsets& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t set) { return b.contains(set); });
}

/// One word each, wherever `same(place in the caption, place in the reference)` holds.
template <class Same>
void match_words(std::size_t caption_words, std::size_t module, Same same, MeteorCandidates& candidates) {
  for (std::size_t j = 0; j < candidates.size(); ++j) {
    for (std::size_t i = 0; i < caption_words; ++i) {
      if (same(i, j)) candidates[j].push_back({j, 1, i, 1, module});
    }
  }
}

bool stands_at(const MeteorPhrase& phrase, const MeteorPhrase& text, std::size_t position) {
  if (position + phrase.size() > text.size()) return false;
  return std::equal(phrase.begin(), phrase.end(), text.begin() + static_cast<std::ptrdiff_t>(position));
}

/// Calls found(start in `from`, length, start in `to`, length) for every paraphrase of a part of `from` that
/// stands in `to`: by start and length of the part, then in the order of the table, then by place in `to`.
template <class Found>
void find_paraphrases(const MeteorPhrase& from, const MeteorPhrase& to, const MeteorWords& words,
                      Found found) {
  for (std::size_t start = 0; start < from.size(); ++start) {
    for (std::size_t length = 1; start + length <= from.size(); ++length) {
      for (const MeteorParaphrase& paraphrase : words.paraphrases) {
        if (paraphrase.source.size() != length || !stands_at(paraphrase.source, from, start)) continue;
        if (paraphrase.target.empty()) continue;
        for (std::size_t place = 0; place < to.size(); ++place) {
          if (stands_at(paraphrase.target, to, place)) found(start, length, place, paraphrase.target.size());
        }
      }
    }
  }
}

}  // namespace

MeteorWord meteor_stem(const MeteorWord& word) {
  const std::unique_ptr<sb_stemmer, void (*)(sb_stemmer*)> stemmer(sb_stemmer_new("english", "UTF_8"),
                                                                   sb_stemmer_delete);
  if (stemmer == nullptr) throw std::runtime_error("libstemmer knows no English");
  const std::string text = to_utf8(word);
  const sb_symbol* stem = sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(text.data()),
                                          static_cast<int>(text.size()));
  return to_meteor_word(
      {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer.get()))});
}

MeteorCandidates find_meteor_candidates(const MeteorPhrase& caption, const MeteorPhrase& reference,
                                        const MeteorWords& words, bool paraphrases) {
  MeteorCandidates candidates(reference.size());
  const auto equal = [&](std::size_t i, std::size_t j) { return caption[i] == reference[j]; };
  match_words(caption.size(), 0, equal, candidates);
  if (caption == reference) return candidates;

  std::vector<MeteorWord> caption_stems, reference_stems;
  std::vector<Synsets> caption_synsets, reference_synsets;
  for (const MeteorWord& word : caption) {
    caption_stems.push_back(meteor_stem(word));
    caption_synsets.push_back(synsets_of(word, words));
  }
  for (const MeteorWord& word : reference) {
    reference_stems.push_back(meteor_stem(word));
    reference_synsets.push_back(synsets_of(word, words));
  }
  const auto same_stem = [&](std::size_t i, std::size_t j) {
    return !equal(i, j) && caption_stems[i] == reference_stems[j];
  };
  const auto synonyms = [&](std::size_t i, std::size_t j) {
    return !equal(i, j) && intersect(caption_synsets[i], reference_synsets[j]);
  };
  match_words(caption.size(), 1, same_stem, candidates);
  match_words(caption.size(), 2, synonyms, candidates);
  if (!paraphrases) return candidates;
  find_paraphrases(reference, caption, words, [&](auto j, auto in_reference, auto i, auto in_caption) {
    candidates[j].push_back({j, in_reference, i, in_caption, 3});
  });
  find_paraphrases(caption, reference, words, [&](auto i, auto in_caption, auto j, auto in_reference) {
    candidates[j].push_back({j, in_reference, i, in_caption, 3});
  });
  return candidates;
}

}  // namespace capella::reference
