// Pillow's bicubic resampling of 8-bit pictures, to the bit: integer weights, columns first, the result of
// each direction rounded to 8 bits. When a picture shrinks, the cubic widens with it.
#pragma once

#include <cstddef>

#include "io/image/image.h"

namespace capella::encoder {

/// A part of a picture.
struct Window {
  std::size_t left = 0;
  std::size_t top = 0;
  std::size_t width = 0;
  std::size_t height = 0;
};

/// The window of what the picture would be with width x height pixels; nothing outside it is computed, so the
/// whole may be of any size. The window is not empty and lies inside.
io::Image resize_bicubic(const io::Image& image, std::size_t width, std::size_t height, const Window& window);

}  // namespace capella::encoder
