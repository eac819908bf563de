// Features of objects and images: what is true, sent through fixed random vectors, with noise. Every property
// (of objects: being a dog, being red; of images: a red dog, someone who chases) has a vector of its own; a
// feature is the weighted sum of those that apply. The vectors do not depend on a world's seed, so what is
// learned in one world holds in another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "world/draw.h"
#include "world/scene.h"

namespace capella::world {

inline constexpr std::size_t kObjectWidth = 64;  ///< kObjectWidth - kGeometry random ones, then the box
inline constexpr std::size_t kGeometry = 8;      ///< x1 y1 x2 y2 width height area log2(width / height)
inline constexpr std::size_t kImageWidth = 128;
/// Deviation per number; a property's vector has length about 1. So chosen that a linear rule is mostly
/// right, but not always: docs/world.md has the figures.
inline constexpr double kObjectNoise = .17;
inline constexpr double kImageNoise = .17;

/// One row per object, in the order of the groups and their boxes.
std::vector<float> object_features(const Scene& scene, Draw& draw);

/// kImageWidth numbers.
std::vector<float> image_features(const Scene& scene, Draw& draw);

}  // namespace capella::world
