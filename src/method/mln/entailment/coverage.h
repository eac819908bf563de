// How much of one sentence's claim another sentence covers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "method/mln/entailment/claims.h"

namespace capella::method::mln {

struct Coverage {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::vector<std::uint32_t> partner;  ///< of each node of the covered side: a node of the other, or kNone
  std::vector<std::uint32_t> missing_nodes;  ///< that have no partner
  std::vector<std::uint32_t> missing_edges;  ///< between nodes with partners that are not so related
  std::size_t nodes = 0, edges = 0;          ///< that were to be covered

  bool is_full() const { return missing_nodes.empty() && missing_edges.empty(); }
};

/// Whether group `premise_group` of the premise says all that group `hypothesis_group` of the hypothesis
/// says.
Coverage cover(const Claims& premise, std::uint32_t premise_group, const Claims& hypothesis,
               std::uint32_t hypothesis_group, const Knowledge& knowledge);

}  // namespace capella::method::mln
