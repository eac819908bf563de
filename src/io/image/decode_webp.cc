// WebP by libwebp. Of an animation the first frame is taken; transparency is dropped, as Pillow's
// convert("RGB") drops it.
#include <memory>

#include <webp/decode.h>
#include <webp/demux.h>

#include "io/image/decoders.h"

namespace capella::io {
namespace {

constexpr std::string_view kCut = "the data is cut off or wrong";

struct DeleteDemuxer {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
};
struct DeleteDecoder {
  void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
};

Image first_frame(const ImageFile& file) {
  const WebPData data{file.data(), file.bytes.size()};
  const std::unique_ptr<WebPDemuxer, DeleteDemuxer> parts(WebPDemux(&data));
  if (!parts) file.reject(kCut);
  Image image = file.image_of(WebPDemuxGetI(parts.get(), WEBP_FF_CANVAS_WIDTH),
                              WebPDemuxGetI(parts.get(), WEBP_FF_CANVAS_HEIGHT));
  WebPAnimDecoderOptions options;
  WebPAnimDecoderOptionsInit(&options);
  options.color_mode = MODE_RGBA;
  const std::unique_ptr<WebPAnimDecoder, DeleteDecoder> decoder(WebPAnimDecoderNew(&data, &options));
  std::uint8_t* canvas = nullptr;
  int time = 0;
  if (!decoder || !WebPAnimDecoderGetNext(decoder.get(), &canvas, &time)) file.reject(kCut);
  for (std::size_t pixel = 0; pixel < image.width * image.height; ++pixel) {
    for (std::size_t c = 0; c < 3; ++c) image.rgb[3 * pixel + c] = canvas[4 * pixel + c];
  }
  return image;
}

}  // namespace

bool is_webp(std::string_view bytes) {
  return bytes.size() >= 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP";
}

Image decode_webp(const ImageFile& file) {
  WebPBitstreamFeatures about;
  if (WebPGetFeatures(file.data(), file.bytes.size(), &about) != VP8_STATUS_OK) file.reject(kCut);
  if (about.has_animation) return first_frame(file);
  Image image = file.image_of(static_cast<std::size_t>(about.width), static_cast<std::size_t>(about.height));
  if (WebPDecodeRGBInto(file.data(), file.bytes.size(), image.rgb.data(), image.rgb.size(),
                        about.width * 3) == nullptr)
    file.reject(kCut);
  return image;
}

}  // namespace capella::io
