// The area under the ROC curve: how probable it is that a right case, drawn at random, scores higher than a
// wrong one; equal scores count half.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace capella::stats {

/// `right` says of each score whether its case is right. NaN if there is no right or no wrong one, or a score
/// is NaN.
double area_under_curve(std::span<const double> scores, const std::vector<bool>& right);

}  // namespace capella::stats
