// SPICE's comparison of two scenes, in words and tables.
#pragma once

#include "capella/explanation.h"

#include "scene/scene_graph.h"

namespace capella::metric {

Explanation explain_spice(const scene::SceneGraph& caption, const scene::SceneGraph& references);

}  // namespace capella::metric
