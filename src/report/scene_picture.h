// What captions say as pictures: objects in a row, their attributes below them, relations as arrows above.
#pragma once

#include <span>
#include <string>

#include "capella/parse.h"

namespace capella::report {

/// The scenes of the captions, one below the other, as SVG. Objects stand in the order in which the caption
/// names them.
std::string draw_scenes(std::span<const ParsedCaption> captions);

}  // namespace capella::report
