// Places the groups of a cluster, and the clusters of a scene, so that what is said to be true can be seen.
#pragma once

#include <vector>

#include "world/draw.h"
#include "world/scene.h"

namespace capella::world {

/// Groups that belong together, in coordinates of their own: x from 0, the ground at y = 0.
struct Cluster {
  std::vector<Group> groups;
  bool behind = false;  ///< stands behind the others

  Box extent() const;
};

/// Gives boxes to agent (the first group) and theme (the second) of an event; `agents` and `themes` say how
/// many. Sets poses.
void place_event(Cluster& cluster, Predicate predicate, std::size_t agents, std::size_t themes, Draw& draw);

/// Places things of one class side by side.
void place_row(Cluster& cluster, std::size_t count, Draw& draw);

/// Boxes of what a person of this box and pose wears.
Box shirt_box(const Box& person, Pose pose);
Box hat_box(const Box& person, Pose pose);

/// Sets the clusters into the picture and moves their groups into the scene.
void arrange(std::vector<Cluster>& clusters, Scene& scene, Draw& draw);

}  // namespace capella::world
