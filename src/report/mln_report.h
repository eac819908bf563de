// Verdicts of Markov logic on captions and systems, for people and for programs.
#pragma once

#include <string>

#include "capella/mln.h"

#include "report/table.h"

namespace capella::report {

/// Systems, the most probable first, with coverage; how each differs from the next.
std::string format_verification(const Verification& verification, Format format);

/// Why a caption is as probable as it is, in words; in JSON all reasons. `reasons` per claim are told. These
/// throw UsageError for formats of tables: csv, latex, plain.
std::string format_mln_explanation(const MlnExplanation& explanation, Format format, std::size_t reasons = 3);
/// What makes one caption of an image more probable than another.
std::string format_mln_contrast(const MlnExplanation& first, const MlnExplanation& second, Format format);

std::string format_ranking(const RankedSystems& ranking, Format format);
std::string format_concepts(const ConceptUncertainty& concepts, Format format);
std::string format_human_ranking(const HumanRanking& ranking, Format format);

}  // namespace capella::report
