// Ground networks by enumerating all their worlds, straight from the definition in
// logic/ground/ground_network.h.
#pragma once

#include <vector>

#include "logic/ground/ground_network.h"

namespace capella::reference {

struct LogicAnswer {
  double log_z = 0;               ///< minus infinity: no world is possible
  std::vector<double> marginals;  ///< one per atom
  double query_log_p = 0;         ///< of `query`
  double best_log_weight = 0;     ///< of the most probable world
  std::vector<bool> best;         ///< that world; the first of several
};

/// At most 24 atoms. Soft evidence is held within [1e-6, 1 - 1e-6].
LogicAnswer enumerate(const logic::GroundNetwork& network, const logic::Query& query = {});

/// The log weight of one world: minus infinity if it breaks something hard.
long double log_weight(const logic::GroundNetwork& network, const std::vector<bool>& world);

}  // namespace capella::reference
