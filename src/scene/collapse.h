// From the parser's tree to the graph that SPICE's rules read.
//
// The steps are those of Stanford's "collapsed, CC-processed" dependencies: prepositions of several words
// become one, relations are named by their prepositions and conjunctions, and what is said of the first of
// several conjuncts is said of the others too.
#pragma once

#include "scene/dependency_graph.h"

namespace capella::scene {

/// All steps, in their order.
void collapse(DependencyGraph& graph);

/// The step for prepositions of several words ("next to", "in front of"); the graph must still be a tree.
void join_prepositions(DependencyGraph& graph);

}  // namespace capella::scene
