// How metrics agree with people, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "capella/meta.h"

#include "base/file.h"
#include "report/table.h"

namespace capella::report {

/// Metrics by coefficients or accuracies, as papers print them (x 100); which differences are real; the
/// cases. With `published` the figures others have printed stand below ours. CSV and plain have the numbers
/// alone.
std::string format_meta(const MetaResult& result, Format format, bool published);

/// "CIDEr-D (43.89) is better than BLEU-4, ROUGE-L; no real difference from SPICE." One per metric, the best
/// first.
std::vector<std::string> agreement_sentences(const MetaResult& result);

/// bars.svg, with published figures beside ours if asked; differences.svg if there are several metrics; for
/// pairs of several categories categories.svg; and for ratings a scatter plot per metric.
std::vector<NamedContent> draw_meta(const MetaResult& result, bool published);

}  // namespace capella::report
