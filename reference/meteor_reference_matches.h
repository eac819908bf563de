// The words and phrases of a caption and a reference that METEOR holds to be the same, looked for everywhere.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reference/meteor_reference_words.h"

namespace capella::reference {

struct MeteorCandidate {
  std::size_t reference_start;
  std::size_t reference_length;
  std::size_t caption_start;
  std::size_t caption_length;
  std::size_t module;  ///< 0 exact, 1 stem, 2 synonym, 3 paraphrase

  bool operator==(const MeteorCandidate&) const = default;
};

/// For each word of the reference the candidates that begin there, in the order in which they were found.
using MeteorCandidates = std::vector<std::vector<MeteorCandidate>>;

MeteorCandidates find_meteor_candidates(const MeteorPhrase& caption, const MeteorPhrase& reference,
                                        const MeteorWords& words, bool paraphrases);

/// The Snowball stem of an English word.
MeteorWord meteor_stem(const MeteorWord& word);

}  // namespace capella::reference
