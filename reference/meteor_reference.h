// METEOR 1.5 for English as coco-caption drives it, once more: slow, plain, from the definition.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "reference/item.h"
#include "reference/meteor_reference_aligner.h"
#include "reference/meteor_reference_words.h"

namespace capella::reference {

using MeteorNumbers = std::array<double, 23>;

struct MeteorScore {
  double precision, recall, f_mean, penalty, score;
};

/// The score of the statistics of one caption or of their sums.
MeteorScore meteor_score(const MeteorNumbers& numbers);

/// The caption as coco-caption writes it on METEOR's input: "|||" cuts fields there, so it is taken out, and
/// then every two spaces become one. References are written as they are.
std::string clean_meteor_caption(const std::string& caption);

/// A caption against one reference.
struct MeteorSegment {
  MeteorPhrase caption, reference;
  std::vector<MeteorCandidate> matches;
  MeteorNumbers numbers;
};

/// One for each reference of the item.
std::vector<MeteorSegment> compare_by_meteor(const Item& item, const MeteorWords& words, bool paraphrases);

/// The first of those with the highest score.
std::size_t best_meteor_segment(const std::vector<MeteorSegment>& segments);

/// Adds a caption's statistics to those of a corpus.
void add_meteor_numbers(const MeteorNumbers& numbers, MeteorNumbers& sums);

}  // namespace capella::reference
