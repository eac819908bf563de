// From the parser's tree to the graph that SPICE's rules read.
//
// The steps are those of Stanford's "collapsed, CC-processed" dependencies: prepositions of several words
// become one, relations are named by their prepositions and conjunctions, and what is said of the first of
// several conjuncts is said of the others too.
#pragma once

#include <cstddef>

#include "scene/dependency_graph.h"

namespace capella::scene {

/// Trees are taken as they are, and in some that no sentence has, words fit together in more ways than can be
/// followed up. Only the first ones count: of phrases and of prepositions joined by a conjunction, each of
/// which makes a copy of a word; of prepositions with two further words; of conjuncts with a conjunction.
inline constexpr std::size_t kMostCopies = 100;  ///< by each of the two steps that make copies
inline constexpr std::size_t kMostTriples = 1000;
inline constexpr std::size_t kMostConjuncts = 10'000;

/// All steps, in their order.
void collapse(DependencyGraph& graph);

/// The step for prepositions of several words ("next to", "in front of"); the graph must still be a tree.
void join_prepositions(DependencyGraph& graph);

}  // namespace capella::scene
