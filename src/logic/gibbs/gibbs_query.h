// How often a query held. Its clauses are split by the network's components, which are independent: the
// probability is the product over them, and each is seen more often than all at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logic/gibbs/gibbs_graph.h"
#include "logic/gibbs/gibbs_kernel.h"

namespace capella::logic {

using Clauses = std::vector<std::vector<Literal>>;

/// Clauses over variables of one component (or, beyond a number of components, of several).
struct QueryPart {
  std::vector<std::vector<PlaceLiteral>> clauses;
  std::vector<std::uint32_t> places;  ///< of their variables
};

std::vector<QueryPart> query_parts(const FactorGraph& factors, const GibbsGraph& graph, const Clauses& query);

/// The lanes where all clauses hold.
LaneMask holding(const QueryPart& part, const LaneMask* states);

}  // namespace capella::logic
