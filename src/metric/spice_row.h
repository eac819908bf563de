// SPICE's row of numbers per caption, and the scores that are made of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "metric/metric.h"
#include "scene/match.h"

namespace capella::metric {

/// Per category: F (0 where it is no number), 1 if it is a number, and the tuples that matched, those only in
/// the caption and those only in the references.
inline constexpr std::size_t kSpiceRowWidth = 5 * scene::kCategories;

/// SPICE; on request the F of each category; and what each is made of: precision, recall and the counts. The
/// F of a corpus is the mean over the captions where it is a number; precision and recall of a corpus are
/// those of the summed counts.
std::vector<ScoreInfo> spice_scores();

void fill_spice_row(const scene::CountsByCategory& counts, double* row);
void finish_spice_row(std::span<const double> row, std::span<double> scores);

}  // namespace capella::metric
