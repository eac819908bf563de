// Makes a world's folder; see docs/world.md.
#pragma once

#include "capella/world.h"

namespace capella::world {

/// Throws UsageError if there is something wrong with the options.
void check(const WorldOptions& options);

WorldSummary write_world(const WorldOptions& options);

}  // namespace capella::world
