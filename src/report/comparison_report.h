// A comparison of systems for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "capella/compare.h"

#include "report/table.h"

namespace capella::report {

/// "gat is better than sg2caps on CIDEr-D (+3.21); no real difference on BLEU-4 and METEOR." One per pair.
std::vector<std::string> comparison_sentences(const Comparison& comparison);

/// The scores, the differences, who wins how often, and the sentences. CSV and plain have the differences
/// alone.
std::string format_comparison(const Comparison& comparison, Format format);

}  // namespace capella::report
