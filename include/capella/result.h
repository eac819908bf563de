// What a run found: scores of systems and of single captions, with everything needed to print them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capella/dataset.h"
#include "capella/interval.h"

namespace capella {

/// A score's name and how to show it; the same for all systems of a run.
struct ScoreColumn {
  std::string name;       ///< e.g. "BLEU-4"
  double high;            ///< the best possible value
  double display_scale;   ///< tables show value * display_scale, as papers do
  std::string signature;  ///< every choice that changes the number
  bool in_tables = true;  ///< false: only for programs, in JSON, CSV and per item
  double low = 0.0;       ///< the worst possible value
};

/// A signature with its keys cut to what tells them apart: "CIDEr-D|n:4|sg:6|df:refs(5000)|t:ptb|v:0.1.0".
std::string short_signature(const std::string& signature);

struct SystemResult {
  std::string name;
  std::vector<double> values;            ///< one per column, over all items
  std::vector<double> item_values;       ///< item by item, one per column
  std::vector<Interval> intervals = {};  ///< one per column if intervals were asked for, else none
};

/// How intervals were made.
enum class IntervalMethod { percentile, bca };

/// Resampling of items with replacement, drawn as numpy's default_rng(seed) draws.
struct IntervalOptions {
  std::size_t resamples = 1000;
  std::uint64_t seed = 12345;
  IntervalMethod method = IntervalMethod::percentile;
};

struct Result {
  std::vector<ScoreColumn> columns;
  std::vector<std::string> ids;
  std::vector<SystemResult> systems;
  std::vector<Skipped> skipped;
  std::vector<std::string> warnings;
  std::optional<IntervalOptions> intervals = {};  ///< how the intervals were made, if there are any

  double item_value(std::size_t system, std::size_t item, std::size_t column) const {
    return systems[system].item_values[item * columns.size() + column];
  }
};

}  // namespace capella
