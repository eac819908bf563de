// What a run found: scores of systems and of single captions, with everything needed to print them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "capella/dataset.h"

namespace capella {

/// A score's name and how to show it; the same for all systems of a run.
struct ScoreColumn {
  std::string name;       ///< e.g. "BLEU-4"
  double high;            ///< the best possible value; the worst is 0
  double display_scale;   ///< tables show value * display_scale, as papers do
  std::string signature;  ///< every choice that changes the number
  bool in_tables = true;  ///< false: only for programs, in JSON, CSV and per item
};

/// A signature with its keys cut to what tells them apart: "CIDEr-D|n:4|sg:6|df:refs(5000)|t:ptb|v:0.1.0".
std::string short_signature(const std::string& signature);

struct SystemResult {
  std::string name;
  std::vector<double> values;       ///< one per column, over all items
  std::vector<double> item_values;  ///< item by item, one per column
};

struct Result {
  std::vector<ScoreColumn> columns;
  std::vector<std::string> ids;
  std::vector<SystemResult> systems;
  std::vector<Skipped> skipped;
  std::vector<std::string> warnings;

  double item_value(std::size_t system, std::size_t item, std::size_t column) const {
    return systems[system].item_values[item * columns.size() + column];
  }
};

}  // namespace capella
