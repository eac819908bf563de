#include "metric/meteor_candidates.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::metric {

void PhrasePlaces::reset(std::size_t places) {
  const std::size_t slots = std::bit_ceil(2 * places + 1);
  heads_.assign(slots, kNone);
  mask_ = slots - 1;
  places_.clear();
}

void PhrasePlaces::add(resource::PhraseKey phrase, std::uint32_t start, std::uint32_t length) {
  std::uint32_t& head = heads_[phrase & mask_];
  places_.push_back({phrase, start, length, head});
  head = static_cast<std::uint32_t>(places_.size() - 1);
}

void SynsetPlaces::clear() {
  for (const std::uint32_t slot : filled_) words_[slot] = 0;
  filled_.clear();
}

void SynsetPlaces::add(std::span<const std::uint32_t> synsets, std::uint32_t word) {
  for (const std::uint32_t synset : synsets) {
    words_[slot(synset)] |= Words{1} << word % 64;
    filled_.push_back(slot(synset));
  }
}

void MeteorMatcher::set_caption(const MeteorText& caption) {
  caption_ = caption;
  caption_words_.clear();
  caption_stems_.clear();
  caption_synsets_.clear();
  for (std::uint32_t i = 0; i < caption.words.size(); ++i) {
    const MeteorWord& word = lexicon_.word(caption.words[i]);
    caption_words_.push_back(&word);
    caption_stems_.push_back(word.stem);
    caption_synsets_.add(word.synsets, i);
  }
  if (!paraphrases_) return;

  const std::size_t longest = std::min(caption.words.size(), lexicon_.data().longest_phrase());
  caption_phrases_.reset(caption.words.size() * longest);
  for (std::size_t start = caption.words.size(); start-- > 0;) {  // backwards: places come out by start
    resource::PhraseKey phrase = resource::kEmptyPhrase;
    for (std::size_t end = start; end < caption.words.size() && end - start < longest; ++end) {
      phrase = resource::extend_phrase(phrase, caption_words_[end]->key);
      caption_phrases_.add(phrase, static_cast<std::uint32_t>(start),
                           static_cast<std::uint32_t>(end - start + 1));
    }
  }
  std::size_t paraphrases = 0;
  for (const MeteorPhrase& phrase : caption.phrases) paraphrases += phrase.paraphrases.size();
  caption_paraphrases_.reset(paraphrases);
  for (auto phrase = caption.phrases.rbegin(); phrase != caption.phrases.rend(); ++phrase) {
    for (auto key = phrase->paraphrases.rbegin(); key != phrase->paraphrases.rend(); ++key)
      caption_paraphrases_.add(*key, phrase->start, phrase->length);
  }
}

const MeteorCandidates& MeteorMatcher::match(const MeteorText& reference) {
  candidates_.matches.clear();
  candidates_.ends.clear();
  candidates_.in_caption.assign(caption_.words.size(), 0);
  candidates_.in_reference.assign(reference.words.size(), 0);
  const bool identical = std::ranges::equal(caption_.words, reference.words);
  reference_keys_.clear();
  for (const MeteorPhrase& phrase : reference.phrases) __builtin_prefetch(phrase.paraphrases.data());
  for (const text::WordId word : reference.words) reference_keys_.push_back(lexicon_.word(word).key);
  std::size_t phrase = 0;
  for (std::uint32_t place = 0; place < reference.words.size(); ++place) {
    const text::WordId id = reference.words[place];
    for (std::uint32_t i = 0; i < caption_.words.size(); ++i) {
      if (caption_.words[i] == id) add({place, 1, i, 1, MeteorModule::exact});
    }
    if (!identical) {
      match_words(id, lexicon_.word(id), place);
      if (paraphrases_) {
        match_paraphrased_reference(reference, place, phrase);
        match_paraphrased_caption(place);
      }
    }
    if (candidates_.matches.size() > kMostMatches) refuse();
    candidates_.ends.push_back(static_cast<std::uint32_t>(candidates_.matches.size()));
  }
  return candidates_;
}

void MeteorMatcher::refuse() const {
  std::string start;
  for (const text::WordId word : caption_.words.first(std::min<std::size_t>(10, caption_.words.size())))
    start.append(lexicon_.text(word)).append(" ");
  throw DataError(fmt::format(
      "METEOR: a caption of {} words has more than {} matches in one reference; shorten the caption that "
      "begins with '{}'",
      caption_.words.size(), kMostMatches, excerpt(start)));
}

// Words that differ but share their stem, then those that share a synset.
void MeteorMatcher::match_words(text::WordId id, const MeteorWord& word, std::uint32_t place) {
  for (std::uint32_t i = 0; i < caption_stems_.size(); ++i) {
    if (caption_stems_[i] == word.stem && caption_.words[i] != id) add({place, 1, i, 1, MeteorModule::stem});
  }
  const SynsetPlaces::Words maybe = caption_synsets_.words_with(word.synsets);
  if (maybe == 0) return;
  for (std::uint32_t i = static_cast<std::uint32_t>(std::countr_zero(maybe)); i < caption_.words.size();
       ++i) {
    const bool candidate = (maybe >> i % 64 & 1) != 0 && caption_.words[i] != id;
    if (candidate && are_synonyms(*caption_words_[i], word)) add({place, 1, i, 1, MeteorModule::synonym});
  }
}

// Phrases of the reference that begin at `place` and whose paraphrases stand in the caption. `phrase` is the
// first that begins there.
void MeteorMatcher::match_paraphrased_reference(const MeteorText& reference, std::uint32_t place,
                                                std::size_t& phrase) {
  for (; phrase < reference.phrases.size() && reference.phrases[phrase].start == place; ++phrase) {
    const std::uint32_t length = reference.phrases[phrase].length;
    for (const resource::PhraseKey paraphrase : reference.phrases[phrase].paraphrases) {
      caption_phrases_.for_each(paraphrase, [&](const PhrasePlaces::Place& found) {
        add({place, length, found.start, found.length, MeteorModule::paraphrase});
      });
    }
  }
}

// Paraphrases of the caption's phrases that stand in the reference at `place`, in the order of the caption's
// phrases and of the table.
void MeteorMatcher::match_paraphrased_caption(std::uint32_t place) {
  if (caption_paraphrases_.empty()) return;
  const std::size_t longest = std::min(reference_keys_.size() - place, lexicon_.data().longest_phrase());
  resource::PhraseKey phrase = resource::kEmptyPhrase;
  paraphrased_.clear();
  for (std::size_t length = 1; length <= longest; ++length) {
    phrase = resource::extend_phrase(phrase, reference_keys_[place + length - 1]);
    caption_paraphrases_.for_each(phrase, [&](const PhrasePlaces::Place& source) {
      paraphrased_.push_back({&source, static_cast<std::uint32_t>(length)});
    });
  }
  // Places were added backwards: what comes first in the caption and in the table lies last.
  std::ranges::sort(paraphrased_, std::ranges::greater(), &Paraphrased::phrase);
  for (const auto& [source, length] : paraphrased_)
    add({place, length, source->start, source->length, MeteorModule::paraphrase});
}

void MeteorMatcher::add(const MeteorMatch& match) {
  candidates_.matches.push_back(match);
  for (std::uint32_t i = 0; i < match.caption_length; ++i) ++candidates_.in_caption[match.caption_start + i];
  for (std::uint32_t i = 0; i < match.reference_length; ++i)
    ++candidates_.in_reference[match.reference_start + i];
}

}  // namespace capella::metric
