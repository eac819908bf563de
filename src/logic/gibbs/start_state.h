// A first state of a chain that no hard formula forbids.
//
// Drawn at random, then repaired by a WalkSAT search: as long as a forbidden conjunction holds, one of them
// is picked and one of its variables flipped, that which makes the fewest others hold or, at times, any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/factor_graph.h"
#include "logic/gibbs/gibbs_random.h"

namespace capella::logic {

class StartSearch {
 public:
  explicit StartSearch(const FactorGraph& graph);

  /// One value per variable: fair coins, or drawn by the log odds. Throws DataError if the search finds none.
  std::vector<std::uint8_t> find(ScalarRandom& random, bool from_log_odds) const;

 private:
  struct Walk;

  const FactorGraph& graph_;
  std::vector<std::uint32_t> forbidden_;  // factors
  std::vector<std::size_t> starts_;       // of each variable's places in forbidden_
  std::vector<std::uint32_t> incident_;
};

}  // namespace capella::logic
