// Two sentences above each other with lines between what belongs together.
#pragma once

#include <span>
#include <string>

#include "capella/explanation.h"

namespace capella::report {

/// One alignment as an SVG picture: the kinds of links differ in colour and in the line's pattern, phrases
/// are bracketed, words without a link are grey.
std::string draw_alignment(const Explanation::Alignment& alignment);

/// Several of them, one below the other, in one picture.
std::string draw_alignments(std::span<const Explanation::Alignment> alignments);

}  // namespace capella::report
