// Quantifiers and pronouns: what the words of a collapsed graph stand for.
#pragma once

#include "scene/dependency_graph.h"

namespace capella::scene {

/// "A pair of people": people becomes the head and "a pair of" its quantifier (det:qmod). Then pronouns hand
/// their edges to the noun that they most likely mean.
void enhance(DependencyGraph& graph);

}  // namespace capella::scene
