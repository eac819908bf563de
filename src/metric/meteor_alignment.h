// Which of the candidates METEOR takes: a beam search over the words of the reference.
//
// The search prefers alignments that cover more words, then those with fewer chunks, then those whose words
// moved less. Its counts decide only between alignments and have slips of their own (a distance that is
// booked to the wrong path, stems that count nothing); every published score contains them, so they are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "metric/meteor_candidates.h"

namespace capella::metric {

/// Words of a caption of at most 64 words.
class FewWords {
 public:
  static constexpr std::size_t kMost = 64;
  explicit FewWords(std::size_t) {}
  void add(std::uint32_t start, std::uint32_t length) { bits_ |= mask(start, length); }
  bool has_any(std::uint32_t start, std::uint32_t length) const { return (bits_ & mask(start, length)) != 0; }

 private:
  static std::uint64_t mask(std::uint32_t start, std::uint32_t length) {
    return (~std::uint64_t{0} >> (kMost - length)) << start;
  }
  std::uint64_t bits_ = 0;
};

/// Words of a caption of any length.
class ManyWords {
 public:
  explicit ManyWords(std::size_t words) : has_(words) {}
  void add(std::uint32_t start, std::uint32_t length) {
    for (std::uint32_t i = start; i < start + length; ++i) has_[i] = true;
  }
  bool has_any(std::uint32_t start, std::uint32_t length) const {
    for (std::uint32_t i = start; i < start + length; ++i) {
      if (has_[i]) return true;
    }
    return false;
  }

 private:
  std::vector<bool> has_;
};

/// How good a path is, as one number, less is better: words covered (many are good), then chunks, then the
/// distance by which words moved, then the order in which paths were made.
template <class Number, unsigned kOrderBits, unsigned kDistanceBits, unsigned kChunkBits>
struct MeteorRank {
  using Type = Number;
  static constexpr Number kDistance = Number{1} << kOrderBits;
  static constexpr Number kChunk = kDistance << kDistanceBits;
  static constexpr Number kWord = kChunk << kChunkBits;
  static constexpr Number kWorst = ~Number{0} - (kWord - 1);  ///< no word covered
  static constexpr Number kOrder = kDistance - 1;             ///< the bits of the order
};

/// How many paths the search keeps.
inline constexpr std::size_t kMeteorBeam = 40;

/// What a search needs for ordinary sentences: one machine word for a path's words, and one for its rank.
struct OrdinarySentences {
  using Words = FewWords;
  using Rank = MeteorRank<std::uint64_t, 16, 24, 12>;
  static constexpr std::size_t kMostWords = FewWords::kMost;
  static constexpr std::size_t kMostMatches = 1599;
  static_assert(kMeteorBeam * (kMostMatches + 1) <= Rank::kOrder + 1, "every proposal has an order");
};
/// The same for sentences of any length.
struct LongSentences {
  using Words = ManyWords;
  using Rank = MeteorRank<unsigned __int128, 32, 48, 24>;
};

/// The search over one reference.
template <class Sentences>
class MeteorSearch {
 public:
  /// Appends the matches taken, in no particular order.
  void run(const MeteorCandidates& candidates, std::vector<MeteorMatch>& taken);

 private:
  using Words = typename Sentences::Words;
  using RankParts = typename Sentences::Rank;
  using Rank = typename RankParts::Type;

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Path {
    explicit Path(Words none) : used(std::move(none)) {}
    Rank rank = RankParts::kWorst;
    std::uint32_t chunk_end = kNone;  ///< where the caption goes on if the next match continues the chunk
    std::uint32_t next = 0;           ///< first word of the reference behind the last match
    std::uint32_t trail = kNone;      ///< the last match taken
    Words used;
  };
  /// A match that may be taken at the present word of the reference.
  struct Option {
    const MeteorMatch* match;
    Rank gain;
    Rank distance;
  };
  /// What may become a path of the next beam.
  struct Proposal {
    std::uint32_t parent;
    std::uint32_t option;  ///< kNone: the parent goes on without a match
  };
  struct Step {
    const MeteorMatch* match;
    std::uint32_t before;
  };

  void start(const MeteorCandidates& candidates);
  void take_certain(const MeteorMatch& match);
  void skip_word(std::uint32_t place);
  void branch(std::uint32_t place, std::span<const MeteorMatch> matches);
  void propose(std::uint32_t parent, std::uint32_t place);
  void keep_best(std::uint32_t place);
  void sort_beam();

  static Option option_of(const MeteorMatch& match);
  static void take(Path& path, const Option& option);
  static void skip(Path& path);

  std::vector<Path> beam_;  // best first
  std::vector<Path> next_beam_;
  std::vector<Option> options_;
  std::vector<Proposal> proposals_;
  std::vector<Rank> ranks_;  // of the proposals
  std::vector<Step> trails_;
  std::vector<const MeteorMatch*> certain_;  // per word of the reference: the certain match that covers it
};

extern template class MeteorSearch<OrdinarySentences>;
extern template class MeteorSearch<LongSentences>;

/// Holds the memory of one search after the other, for one thread.
///
/// Time grows with 40 * words of the reference * candidates per word: two captions of 200 times the same word
/// take 1.6 million steps.
class MeteorAligner {
 public:
  /// The matches taken, by place in the reference; valid until the next call.
  std::span<const MeteorMatch> align(const MeteorCandidates& candidates);

 private:
  MeteorSearch<OrdinarySentences> ordinary_;
  MeteorSearch<LongSentences> long_;
  std::vector<MeteorMatch> taken_;
};

}  // namespace capella::metric
