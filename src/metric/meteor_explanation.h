// METEOR's comparison with each reference, in words, tables and a picture.
#pragma once

#include <span>

#include "capella/explanation.h"

#include "metric/meteor_comparison.h"

namespace capella::metric {

/// `comparisons`: one per reference; at least one.
Explanation explain_meteor(std::span<const MeteorComparison> comparisons);

}  // namespace capella::metric
