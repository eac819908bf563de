// The transport problem by cancelling cycles: any plan that meets supply and demand is best once no cycle of
// shifts makes it cheaper.
#pragma once

#include <cstdint>
#include <vector>

namespace capella::reference {

template <class Cost>
struct TransportProblem {
  std::vector<std::int64_t> supply;
  std::vector<std::int64_t> demand;  ///< the same sum
  std::vector<Cost> costs;           ///< source by source
};

/// The least cost of moving everything.
double least_cost(const TransportProblem<double>& problem);
std::int64_t least_cost(const TransportProblem<std::int64_t>& problem);

}  // namespace capella::reference
