// Makes a world's folder; see docs/world.md.
#pragma once

#include <array>
#include <cstddef>

#include "capella/world.h"

namespace capella::world {

/// Throws UsageError if there is something wrong with the options.
void check(const WorldOptions& options);

/// How many images of each split: what its share owes it, rounded down, and the rest to the largest
/// remainders.
std::array<std::size_t, 3> split_sizes(std::size_t images, const std::array<double, 3>& shares);

WorldSummary write_world(const WorldOptions& options);

}  // namespace capella::world
