// The upper part of a counting search, for people to look at: what was decided, how the rest fell apart, and
// what was met again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace capella::logic {

struct CountingTrace {
  enum class Kind {
    choice,   ///< adds up what is below: its variable false, and true
    product,  ///< multiplies what was decided and what is below
    leaf      ///< a few variables, all of whose worlds are added up
  };

  struct Node {
    Kind kind = Kind::product;
    double log_z = 0;  ///< of all that is below
    /// Of a choice its own; of a leaf all; of a product those that are decided, the choice's first. These are
    /// variables of the graph that was counted, or atoms where a Solver tells it.
    std::vector<std::uint32_t> variables;
    std::vector<bool> values;           ///< of a product's variables
    double log_weight = 0;              ///< of the factors that a product's decisions complete
    std::vector<std::size_t> children;  ///< places in `nodes`; impossible branches are left out
    std::size_t uses = 1;               ///< > 1: the same component was met again, and not counted again
    bool cut = false;                   ///< there is more below that is not shown
  };
  std::vector<Node> nodes;  ///< the first is the root
};

}  // namespace capella::logic
