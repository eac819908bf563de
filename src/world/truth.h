// What is known about a world and not to be guessed from its files: truth.json and the README in the folder.
#pragma once

#include <string>
#include <vector>

#include "capella/world.h"

#include "world/judges.h"
#include "world/rules.h"

namespace capella::world {

/// `counts` are those of all images.
std::string truth_text(const WorldOptions& options, const std::vector<Worker>& workers,
                       const RuleCounts& counts);

std::string readme_text(const WorldOptions& options, const WorldSummary& summary);

}  // namespace capella::world
