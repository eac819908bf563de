// Pictures of Markov logic: a ground network, the search tree of weighted counting, the worlds of a small
// network.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/logic.h"

namespace capella::report {

/// Atoms on the left, the darker the more probable, ground formulas as squares with their weights on the
/// right, lines between them (dashed: the negated atom). Atoms that nothing is said of are left out. Of a
/// large network the `most_atoms` nearest to the query, else to the atom with the most formulas, are shown.
/// `marginals`: one per atom; empty: none.
std::string draw_ground_network(const GroundedLogic& network, std::span<const double> marginals,
                                std::string_view title, std::size_t most_atoms = 40);

/// The tree from top to bottom. Case distinctions are blue, independent parts white, what was counted before
/// has a dashed border.
std::string draw_counting_tree(std::span<const CountingNode> tree);
std::string counting_tree_dot(std::span<const CountingNode> tree);   ///< for Graphviz
std::string counting_tree_json(std::span<const CountingNode> tree);  ///< nested objects

/// The `most` most probable worlds as bars.
std::string draw_worlds(std::span<const LogicWorld> worlds, std::string_view title, std::size_t most = 32);

}  // namespace capella::report
