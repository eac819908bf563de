// Pictures to PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace capella::io {

struct RgbImage {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> pixels;  ///< red, green, blue of each pixel, row by row from the top
};

/// The bytes of a PNG file: 8 bits a channel, no times, so equal pictures give equal files.
std::string png_bytes(const RgbImage& image);

}  // namespace capella::io
