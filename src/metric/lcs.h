// Length of the longest common subsequence of two sequences of words.
#pragma once

#include <cstddef>
#include <span>

#include "text/vocabulary.h"

namespace capella::metric {

std::size_t lcs_length(std::span<const text::WordId> a, std::span<const text::WordId> b);

}  // namespace capella::metric
