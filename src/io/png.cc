#include "io/png.h"

#include <png.h>

#include "capella/error.h"

namespace capella::io {

std::string png_bytes(const RgbImage& image) {
  png_image about{};
  about.version = PNG_IMAGE_VERSION;
  about.width = static_cast<png_uint_32>(image.width);
  about.height = static_cast<png_uint_32>(image.height);
  about.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(about);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&about, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr))
    throw Error(std::string("a picture cannot be written as PNG: ") + about.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace capella::io
