// The pre-gen metrics of generators, for people and for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "capella/pregen.h"

#include "report/table.h"

namespace capella::report {

/// JSON: all metrics by name, of several systems by system and name. CSV: a row per system. Else a row per
/// metric: perplexity and those that the paper found best, or with `all` every one.
std::string format_pregen_metrics(std::span<const PregenMetrics> systems,
                                  const std::vector<std::string>& names, Format format, bool all);

}  // namespace capella::report
