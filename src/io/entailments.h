// What a model for natural-language inference says: nli.jsonl, one row per caption and atom.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "io/triplets.h"

namespace capella::io {

/// Contradiction, neutral, entailment: their probabilities.
using EntailmentOdds = std::array<double, 3>;

struct EntailmentRow {
  std::string system;
  std::string image;
  Triplet atom;
  EntailmentOdds p{};
  std::string hypothesis;  ///< the sentence that was asked; may be empty
  std::string judge;       ///< the model that answered; may be empty
};

/// Throws DataError "FILE:LINE: ..." for what is none, and where p does not sum to 1 within 0.001.
std::vector<EntailmentRow> read_entailments(const std::string& path);
std::string write_entailments(const std::vector<EntailmentRow>& rows);

}  // namespace capella::io
