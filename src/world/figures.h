// How things look: each class is a few simple shapes in the unit square of its box.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "world/scene.h"

namespace capella::world {

/// What colour a shape has.
enum class Paint : std::uint8_t { main, shade, skin, hair, dark, wood, leaf, metal, glass, white, cloth };

/// Points are in the unit square, y downwards, the figure looking to the right.
struct Shape {
  enum class Form : std::uint8_t { ellipse, line, polygon };
  Form form;
  Paint paint;
  std::uint8_t points;                ///< ellipse: 2 (centre, radii); line: 2 and the width
  float width;                        ///< of a line, in units of the box's shorter side
  std::array<float, 12> coordinates;  ///< x, y, x, y ...
};

std::span<const Shape> figure(Class id, Pose pose);

}  // namespace capella::world
