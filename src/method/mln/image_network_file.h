// The networks of images as JSON lines. The first line lists the formulas, each further line is one image:
//   {"formulas": [{"text": "...", "weight": 0.8}, ...]}
//   {"image_id": "7", "things": [...], "atoms": [["man", "ride", "bike"], ...], "log_odds": [1.2, null, ...],
//    "factors": [{"atoms": [0, 3], "signs": [1, 1], "kind": "conj", "weight": 0.8, "formula_id": 12}, ...]}
// A sign is 1, or 0 where the atom is negated. A factor's weight is infinite ("inf") where its formula is
// hard; log odds are null where the objects say nothing, and "inf" or "-inf" where an atom is certain.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "method/mln/image_network.h"

namespace capella::method::mln {

/// All images have the same formulas.
std::string write_image_networks(std::span<const ImageNetwork> images, const logic::FormulaList& formulas);

/// Throws DataError "FILE:LINE: ..." for what is none.
std::vector<ImageNetwork> read_image_networks(const std::string& path);

}  // namespace capella::method::mln
