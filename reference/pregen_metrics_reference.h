// A pre-gen metric from its name: the tiers one after the other, each from its definition, in long double.
#pragma once

#include <string>
#include <vector>

namespace capella::reference {

struct WordGuess {
  double probability;
  unsigned rank;
};
using CaptionGuesses = std::vector<WordGuess>;
using ImageGuesses = std::vector<CaptionGuesses>;

/// `name` is TIER4_TIER3_TIER2_TIER1. `paper_filter0`: filter0 keeps the most probable words, not the others.
long double pregen_metric(const std::string& name, const std::vector<ImageGuesses>& images,
                          bool paper_filter0);

}  // namespace capella::reference
