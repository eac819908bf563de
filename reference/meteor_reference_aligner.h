// METEOR's search for the best choice of matches, with whole paths copied and sorted.
#pragma once

#include <cstddef>
#include <vector>

#include "reference/meteor_reference_matches.h"

namespace capella::reference {

/// The chosen matches by place in the reference; no word is in two of them.
std::vector<MeteorCandidate> align_by_meteor(const MeteorCandidates& candidates, std::size_t caption_words);

/// How many runs of matches stand in the same order, without gaps, on both sides.
std::size_t count_meteor_chunks(const std::vector<MeteorCandidate>& matches, std::size_t reference_words);

}  // namespace capella::reference
