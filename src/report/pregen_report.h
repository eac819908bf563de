// Which pre-gen metrics foretell a post-gen score, for people and for programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "capella/pregen.h"

#include "report/table.h"

namespace capella::report {

/// Places in `rows` of the selection's best metrics by R^2, at most `top`, the best first; equal ones in the
/// order of the columns.
std::vector<std::size_t> best_metrics(const PregenCorrelations& result, std::size_t selection,
                                      std::size_t top);

/// The place of perplexity in `rows`; as many as there are if it is not there.
std::size_t perplexity_place(const PregenCorrelations& result);

/// For each post-gen score the `top` metrics of each selection, and perplexity with its rank; how the best
/// compares with perplexity; R^2 between the post-gen scores. JSON, CSV and plain have all metrics.
std::string format_correlations(const std::vector<PregenCorrelations>& results, Format format,
                                std::size_t top);

/// The layout of the published files: tab-separated, one line per metric, R^2, R and p of each selection.
std::string correlation_file(const PregenCorrelations& result);

}  // namespace capella::report
