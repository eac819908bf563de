// Everything in a reference that may match something in a caption, in the order in which METEOR finds it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metric/meteor_lexicon.h"
#include "metric/meteor_statistics.h"

namespace capella::metric {

struct MeteorCandidates {
  std::vector<MeteorMatch> matches;         ///< by reference_start
  std::vector<std::uint32_t> ends;          ///< per word of the reference: the end of its matches
  std::vector<std::uint32_t> in_caption;    ///< per word of the caption: how many matches cover it
  std::vector<std::uint32_t> in_reference;  ///< per word of the reference

  /// The matches that begin at a word of the reference.
  std::span<const MeteorMatch> at(std::size_t word) const {
    const std::size_t begin = word == 0 ? 0 : ends[word - 1];
    return std::span(matches).subspan(begin, ends[word] - begin);
  }
};

/// Positions of phrases, by key.
class PhrasePlaces {
 public:
  struct Place {
    resource::PhraseKey phrase;
    std::uint32_t start;
    std::uint32_t length;
    std::uint32_t next;  // place with the same slot, added before
  };

  void reset(std::size_t places);  ///< forgets all; at most `places` will be added
  void add(resource::PhraseKey phrase, std::uint32_t start, std::uint32_t length);
  bool empty() const { return places_.empty(); }

  /// Calls visit(place) for the phrase's places, the last added first.
  template <class Visit>
  void for_each(resource::PhraseKey phrase, Visit visit) const {
    for (std::uint32_t i = heads_[phrase & mask_]; i != kNone; i = places_[i].next) {
      if (places_[i].phrase == phrase) visit(places_[i]);
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> heads_;  // a power of two
  std::vector<Place> places_;
  std::uint64_t mask_ = 0;
};

/// Which words of a caption may be synonyms of a word: a table from hashed synsets to words.
class SynsetPlaces {
 public:
  /// Bit w % 64 stands for word w.
  using Words = std::uint64_t;

  void clear();
  void add(std::span<const std::uint32_t> synsets, std::uint32_t word);
  /// All words that share one of the synsets, and perhaps some that do not.
  Words words_with(std::span<const std::uint32_t> synsets) const {
    Words words = 0;
    for (const std::uint32_t synset : synsets) words |= words_[slot(synset)];
    return words;
  }

 private:
  static constexpr unsigned kLogSlots = 12;
  static std::uint32_t slot(std::uint32_t synset) { return synset * 0x9E3779B9u >> (32 - kLogSlots); }

  std::vector<Words> words_ = std::vector<Words>(std::size_t{1} << kLogSlots);
  std::vector<std::uint32_t> filled_;  // slots to be cleared
};

/// For one caption after the other, and for one thread.
class MeteorMatcher {
 public:
  /// More would take gigabytes: some thousand times the same word on both sides.
  static constexpr std::size_t kMostMatches = 20'000'000;

  /// `lexicon` knows the words of captions and references.
  MeteorMatcher(const MeteorLexicon& lexicon, bool paraphrases)
      : lexicon_(lexicon), paraphrases_(paraphrases) {}

  void set_caption(const MeteorText& caption);
  /// The candidates of the caption and this reference; valid until the next call. Throws DataError if there
  /// are more than kMostMatches.
  const MeteorCandidates& match(const MeteorText& reference);

 private:
  /// A phrase of the caption, and how long what stands for it in the reference is.
  struct Paraphrased {
    const PhrasePlaces::Place* phrase;
    std::uint32_t length;
  };

  void match_words(text::WordId id, const MeteorWord& word, std::uint32_t place);
  void match_paraphrased_reference(const MeteorText& reference, std::uint32_t place, std::size_t& phrase);
  void match_paraphrased_caption(std::uint32_t place);
  void add(const MeteorMatch& match);
  [[noreturn]] void refuse() const;

  const MeteorLexicon& lexicon_;
  bool paraphrases_;
  MeteorText caption_{};
  std::vector<const MeteorWord*> caption_words_;
  std::vector<text::WordId> caption_stems_;
  SynsetPlaces caption_synsets_;
  PhrasePlaces caption_phrases_;      // all runs of words of the caption
  PhrasePlaces caption_paraphrases_;  // what may stand for phrases of the caption
  std::vector<resource::WordKey> reference_keys_;
  std::vector<Paraphrased> paraphrased_;
  MeteorCandidates candidates_;
};

}  // namespace capella::metric
