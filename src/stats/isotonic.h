// Isotonic regression: the numbers that never fall and are nearest to given ones, in squares.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace capella::stats {

/// Neighbours that have one value.
struct Block {
  std::size_t begin;
  std::size_t end;
  double value;
};

/// The fit as its blocks, whose values rise strictly. All `weights` are above 0; none: all are equal.
std::vector<Block> isotonic(std::span<const double> values, std::span<const double> weights = {});

}  // namespace capella::stats
