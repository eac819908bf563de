// Why a caption got its HWCM: the chains that it shares with the best reference, and those that it lacks.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "capella/explanation.h"

#include "metric/hwcm_chains.h"

namespace capella::metric {

/// A reference as it was written and as it was parsed.
struct ParsedReference {
  std::string_view text;
  std::vector<syntax::Tree> trees;
};

Explanation explain_hwcm(std::span<const syntax::Tree> caption, std::span<const ParsedReference> references,
                         ChainJoin join);

}  // namespace capella::metric
