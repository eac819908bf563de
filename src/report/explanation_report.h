// Why a caption got its scores, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "capella/explanation.h"

#include "report/table.h"

namespace capella::report {

/// As text, or as JSON if the format says so. Alignments are in JSON only: in text a metric tells them in a
/// table.
std::string format_explanations(const std::vector<Explanation>& explanations, Format format);

/// The pictures of all explanations that have some, one below the other, as SVG.
std::string draw_explanations(const std::vector<Explanation>& explanations);

}  // namespace capella::report
