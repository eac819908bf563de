// BLEU as sacreBLEU defines it, from counts.
#pragma once

#include <string>

#include "reference/bleu_reference.h"

namespace capella::reference {

struct SacreBleuOptions {
  std::string smooth = "exp";  ///< exp, floor, add-k or none
  bool effective_order = false;
};

/// From 0 to 100.
double sacrebleu(const BleuCounts& counts, const SacreBleuOptions& options);

}  // namespace capella::reference
