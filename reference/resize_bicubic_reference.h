// Pillow's bicubic resampling from its definition: one pixel at a time, weights made anew for each.
#pragma once

#include <cstdint>
#include <vector>

namespace capella::reference {

/// Pixels are [height][width][3].
std::vector<std::uint8_t> resize_bicubic(const std::vector<std::uint8_t>& pixels, int width, int height,
                                         int new_width, int new_height);

}  // namespace capella::reference
