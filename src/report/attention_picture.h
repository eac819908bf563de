// Which pair of boxes an atom is about: the image's boxes, with a line for each pair, the thicker the more
// attention it has.
#pragma once

#include <string>

#include "capella/mln.h"

namespace capella::report {

/// As SVG. Boxes that no pair has are drawn thin.
std::string draw_attention(const MilAttention& attention, const Claim& claim);

}  // namespace capella::report
