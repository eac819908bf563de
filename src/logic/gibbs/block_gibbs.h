// Block Gibbs: the variables of a forest, a set without cycles among its factors, are drawn at once, exactly.
//
// Messages go from the leaves to the roots; then each variable is drawn given its parent. All variables are
// split into such blocks. A network that is a forest is one block, and its draws are independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/factor_graph.h"
#include "logic/gibbs/gibbs_graph.h"

namespace capella::logic {

/// A variable of a block.
struct TreeNode {
  static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

  std::uint32_t variable;
  std::uint32_t parent;               ///< a place in the block before this one, or kNoParent
  std::vector<std::uint32_t> alone;   ///< factors without another variable of the block
  std::vector<std::uint32_t> shared;  ///< factors with the parent
};

using TreeBlock = std::vector<TreeNode>;

/// Every variable is in one block.
std::vector<TreeBlock> tree_blocks(const FactorGraph& graph, const FactorsOfVariables& incident);

}  // namespace capella::logic
