// One decoder per format, behind decode_image.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/image/image.h"

namespace capella::io {

/// The bytes of a picture and what messages call it.
struct ImageFile {
  std::string_view bytes;
  const std::string& path;
  std::size_t most_pixels;

  const unsigned char* data() const { return reinterpret_cast<const unsigned char*>(bytes.data()); }

  /// A black picture of that size; throws FileError if it is too large.
  Image image_of(std::size_t width, std::size_t height) const;
  /// For formats whose files may end early: throws FileError if the file is so short for its size that the
  /// size is a trap.
  void check_density(std::size_t width, std::size_t height) const;

  /// Throws FileError: path, what was found, what to do.
  [[noreturn]] void reject(std::string_view found) const;
};

bool is_jpeg(std::string_view bytes);
bool is_png(std::string_view bytes);
bool is_webp(std::string_view bytes);

Image decode_jpeg(const ImageFile& file);
Image decode_png(const ImageFile& file);
Image decode_webp(const ImageFile& file);

}  // namespace capella::io
