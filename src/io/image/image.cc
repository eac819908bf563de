#include "io/image/image.h"

#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "io/image/decoders.h"

namespace capella::io {
namespace {

// A file may end early, but hardly so early: beyond this many pixels to a byte (1-bit PNG, the densest real
// case, has 8256) a large size is a trap rather than a picture.
constexpr std::size_t kMostPixelsPerByte = 1 << 14;
constexpr std::size_t kLargePicture = 1 << 24;

Image decode(const ImageFile& file) {
  if (is_jpeg(file.bytes)) return decode_jpeg(file);
  if (is_png(file.bytes)) return decode_png(file);
  if (is_webp(file.bytes)) return decode_webp(file);
  throw FileError(fmt::format("{}: found {}, expected a picture as JPEG, PNG or WebP", file.path,
                              file.bytes.empty() ? "an empty file" : "another kind of file"));
}

}  // namespace

Image ImageFile::image_of(std::size_t width, std::size_t height) const {
  if (width == 0 || height == 0) reject("a picture without pixels");
  if (width > most_pixels / height)
    throw FileError(fmt::format("{}: the picture has {} x {} pixels, expected at most {}; make it smaller",
                                path, width, height, most_pixels));
  return {width, height, std::vector<std::uint8_t>(width * height * 3), false};
}

void ImageFile::check_density(std::size_t width, std::size_t height) const {
  const std::size_t pixels = width * height;  // all formats have at most 32 bits for a side
  if (pixels > kLargePicture && pixels / kMostPixelsPerByte > bytes.size())
    reject(fmt::format("{} x {} pixels in {} bytes", width, height, bytes.size()));
}

void ImageFile::reject(std::string_view found) const {
  throw FileError(fmt::format("{}: damaged picture: {}; fetch the file again", path, found));
}

Image decode_image(std::string_view bytes, const std::string& path, std::size_t most_pixels) try {
  return decode({bytes, path, most_pixels});
} catch (const std::bad_alloc&) {
  throw FileError(path + ": the picture does not fit into memory; make it smaller");
}

Image read_image(const std::string& path) {
  std::error_code unknown;  // whoever reads it then says what is wrong
  if (std::filesystem::is_fifo(path, unknown))
    throw FileError(path + ": is a pipe, expected a picture's file");
  return decode_image(read_file_as_is(path), path);
}

}  // namespace capella::io
