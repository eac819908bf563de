// Pictures as Pillow decodes them: JPEG, PNG, WebP to 8-bit RGB, without rotation or colour management.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capella::io {

struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> rgb;  ///< [height][width][3]
  bool truncated = false;         ///< the file ended early; what was missing is filled as Pillow fills it
};

constexpr std::size_t kMostPixels = std::size_t{1} << 28;

/// Recognised by content. Throws FileError, which names `path`, if the bytes are no picture, nothing of it
/// can be decoded, or it has more than `most_pixels`; no memory is taken before its size is known to be
/// allowed.
Image decode_image(std::string_view bytes, const std::string& path, std::size_t most_pixels = kMostPixels);

Image read_image(const std::string& path);

}  // namespace capella::io
