// In how many images each formula is, and which formulas stay.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "method/mln/rules/structure.h"
#include "method/mln/rules/structure_formulas.h"

namespace capella::method::mln {

struct CountedFormula {
  FormulaKey key;
  std::size_t images = 0;
  std::size_t support = 0;  ///< different ways to put constants for its variables, over all images
};

struct FormulaCounts {
  std::vector<CountedFormula> formulas;  ///< that are kept, sorted by key
  std::size_t candidates = 0;
  std::size_t capped_images = 0;
};

FormulaCounts count_formulas(const ImageLiterals& literals, const StructureOptions& options);

}  // namespace capella::method::mln
