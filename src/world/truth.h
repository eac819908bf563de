// What is known about a world and not to be guessed from its files: truth.json and the README in the folder.
#pragma once

#include <string>
#include <vector>

#include "capella/world.h"

#include "world/judges.h"
#include "world/tally.h"

namespace capella::world {

/// `tally` is that of all images.
std::string truth_text(const WorldOptions& options, const std::vector<Worker>& workers, const Tally& tally);

std::string readme_text(const WorldOptions& options, const WorldSummary& summary);

}  // namespace capella::world
