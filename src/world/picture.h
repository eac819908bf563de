// Draws a scene.
#pragma once

#include <cstddef>

#include "io/png.h"
#include "world/scene.h"

namespace capella::world {

/// A square picture of `size` pixels a side, edges smoothed. The scene alone decides every pixel.
io::RgbImage draw_scene(const Scene& scene, std::size_t size);

}  // namespace capella::world
