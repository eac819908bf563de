// Pictures of how pre-gen metrics go with post-gen scores.
#pragma once

#include <cstddef>
#include <vector>

#include "capella/pregen.h"

#include "base/file.h"

namespace capella::report {

/// For each post-gen score: bars-SCORE.svg, the R^2 of the `top` metrics and of perplexity; tiers-SCORE.svg,
/// the R^2 of all metrics by their tiers; and scatter-SCORE-METRIC.svg for each of its scatters. With several
/// scores in the files also post-gen.svg, the R^2 between them.
std::vector<NamedContent> draw_correlations(const std::vector<PregenCorrelations>& results, std::size_t top);

}  // namespace capella::report
