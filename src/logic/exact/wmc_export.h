// A ground network for weighted model counters of other people: DIMACS with the weights of literals, as the
// Model Counting Competition has it. The weighted count is Z.
#pragma once

#include <string>

#include "logic/ground/ground_network.h"

namespace capella::logic {

/// A soft formula of two or more literals gets a variable that is true where the formula's conjunction is;
/// one literal alone is part of its atom's weights. Hard evidence is a clause. Lines "c atom 3 Name(A,B)"
/// tell the atoms' numbers.
std::string write_wmc(const GroundNetwork& network);

}  // namespace capella::logic
