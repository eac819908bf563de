// Pictures: any bytes behind a good beginning, and any damage to a good file, give a FileError or a picture
// that hangs together and can be resized, never a crash.
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "encoder/resize_bicubic.h"
#include "io/image/image.h"
#include "support/small_pictures.h"

namespace {

using namespace capella::test;

constexpr std::size_t kMostPixels = 1 << 18;  // so that no input takes long

void decode(const std::string& bytes) {
  try {
    const capella::io::Image image = capella::io::decode_image(bytes, "fuzz", kMostPixels);
    if (image.width == 0 || image.height == 0) __builtin_trap();
    if (image.rgb.size() != image.width * image.height * 3) __builtin_trap();
    const auto small = capella::encoder::resize_bicubic(image, 8, 8, {2, 1, 4, 5});
    if (small.rgb.size() != 4 * 5 * 3) __builtin_trap();
  } catch (const capella::FileError&) {
  }
}

std::string some_png(FuzzedDataProvider& input) {
  constexpr int kColours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_PALETTE,
                              PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB_ALPHA};
  PngParts parts;
  parts.width = input.ConsumeIntegralInRange<std::uint32_t>(0, 20);
  parts.height = input.ConsumeIntegralInRange<std::uint32_t>(0, 20);
  parts.depth = 1 << input.ConsumeIntegralInRange(0, 5);
  parts.colour = input.PickValueInArray(kColours);
  parts.interlaced = input.ConsumeBool();
  parts.palette = input.ConsumeRandomLengthString(48);
  parts.transparent = input.ConsumeRandomLengthString(8);
  parts.rows = input.ConsumeRandomLengthString(2000);
  return png_file(parts);
}

// A good file with some bytes changed and perhaps its end cut off.
std::string damaged(std::string bytes, FuzzedDataProvider& input) {
  for (std::size_t changes = input.ConsumeIntegralInRange<std::size_t>(0, 8); changes > 0; --changes) {
    const auto place = input.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1);
    bytes[place] = input.ConsumeIntegral<char>();
  }
  if (input.ConsumeBool()) bytes.resize(input.ConsumeIntegralInRange<std::size_t>(0, bytes.size()));
  return bytes + input.ConsumeRemainingBytesAsString();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Picture* const kPictures[] = {&kJpeg, &kGreyJpeg, &kCmykJpeg, &kWebp, &kClearWebp, &kMovingWebp};
  decode(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  const bool png = input.ConsumeBool();
  const std::string good = png ? some_png(input) : input.PickValueInArray(kPictures)->bytes();
  decode(damaged(good, input));
  return 0;
}
