// PNG by libpng, which here only unpacks: samples become RGB as Pillow's convert("RGB") makes them. Alpha and
// transparent colours are dropped; of 16 bits a colour keeps the upper eight, while grey is cut off at 255.
//
// Of a file that ends early, the rows that can be decoded are kept and the others stay 0. For that the cut
// chunk is closed by hand, since libpng would not unpack a part of it.
#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include <png.h>

#include "io/image/decoders.h"

namespace capella::io {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view kEnd("\0\0\0\0IEND\xae\x42\x60\x82", 12);
constexpr std::size_t kAroundData = 12;  // length, type and checksum of a chunk

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// The bytes with an end put to them, if they have none.
std::optional<std::string> completed(std::string_view bytes) {
  std::size_t at = kSignature.size();
  while (bytes.size() - at >= kAroundData) {
    const std::size_t length = big_endian(bytes.substr(at));
    if (length > bytes.size() - at - kAroundData) break;
    if (bytes.substr(at + 4, 4) == "IEND") return std::nullopt;
    at += length + kAroundData;
  }
  std::string whole(bytes.substr(0, at));
  const std::string_view rest = bytes.substr(at);
  if (rest.size() > 8 && rest.substr(4, 4) == "IDAT") {
    const std::size_t there = std::min<std::size_t>(rest.size() - 8, big_endian(rest));
    for (const int shift : {24, 16, 8, 0}) whole += static_cast<char>(there >> shift & 0xff);
    whole += rest.substr(4, 4 + there);
    whole.append(4, '\0');  // the checksum, which is not looked at
  }
  return whole.append(kEnd);
}

struct PngSession {
  std::string_view rest;  // of the bytes
  png_structp library = nullptr;
  png_infop info = nullptr;
  std::jmp_buf back;
  char text[128] = "";
  std::size_t rows = 0;  // that were decoded, of all passes

  PngSession() = default;
  ~PngSession() { png_destroy_read_struct(&library, &info, nullptr); }
  PngSession(const PngSession&) = delete;
  PngSession& operator=(const PngSession&) = delete;
};

[[noreturn]] void fail(png_structp library, png_const_charp text) {
  PngSession& session = *static_cast<PngSession*>(png_get_error_ptr(library));
  std::snprintf(session.text, sizeof session.text, "%s", text);
  std::longjmp(session.back, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

void take_bytes(png_structp library, png_bytep out, std::size_t count) {
  std::string_view& rest = static_cast<PngSession*>(png_get_io_ptr(library))->rest;
  if (count > rest.size()) png_error(library, "the data ends early");
  std::memcpy(out, rest.data(), count);
  rest.remove_prefix(count);
}

// Runs calls of the library; false if they failed. What `work` makes must not need destroying.
template <class Work>
bool png_succeeds(PngSession& session, const Work& work) {
  if (setjmp(session.back) != 0) return false;
  work();
  return true;
}

// What lies beside the pixels and can be large.
void skip_texts(png_structp library) {
  static constexpr png_byte kChunks[] = "iCCP\0iTXt\0tEXt\0zTXt\0sPLT\0eXIf";
  png_set_keep_unknown_chunks(library, PNG_HANDLE_CHUNK_NEVER, kChunks, sizeof kChunks / 5);
}

void open_png(PngSession& session, const ImageFile& file) {
  session.library = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session, fail, ignore_warning);
  if (session.library != nullptr) session.info = png_create_info_struct(session.library);
  if (session.info == nullptr) file.reject("libpng cannot start");
  const bool opened = png_succeeds(session, [&] {
    png_set_read_fn(session.library, &session, take_bytes);
    png_set_user_limits(session.library, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_benign_errors(session.library, 1);
    skip_texts(session.library);
    png_read_info(session.library, session.info);
  });
  if (!opened) file.reject(session.text);
}

// Samples as the file has them, a byte or two each; those that could not be decoded are 0.
struct Samples {
  png_byte colour = 0;
  png_byte depth = 0;  // in the file
  std::size_t channels = 0;
  std::size_t stride = 0;
  std::vector<png_byte> bytes = {};
  bool whole = false;

  bool wide_grey() const { return colour == PNG_COLOR_TYPE_GRAY && depth == 16; }
};

// Whether all rows were decoded, though the library may have failed afterwards, at the end of the data.
bool has_all_rows(const PngSession& session, const Image& image, int passes) {
  return passes == 1 ? png_get_current_row_number(session.library) >= image.height
                     : png_get_current_pass_number(session.library) >= passes;
}

Samples read_samples(PngSession& session, const Image& image) {
  png_structp library = session.library;
  Samples samples;
  samples.colour = png_get_color_type(library, session.info);
  samples.depth = png_get_bit_depth(library, session.info);
  samples.channels = png_get_channels(library, session.info);
  samples.stride = image.width * (samples.wide_grey() ? 2 : samples.channels);
  samples.bytes.resize(samples.stride * image.height);
  const int passes = png_set_interlace_handling(library);
  const bool ended = png_succeeds(session, [&] {
    png_set_packing(library);
    if (samples.depth == 16 && !samples.wide_grey()) png_set_strip_16(library);
    png_read_update_info(library, session.info);
    png_set_crc_action(library, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);  // Pillow does not look at them
    for (int pass = 0; pass < passes; ++pass) {
      for (std::size_t y = 0; y < image.height; ++y, ++session.rows)
        png_read_row(library, samples.bytes.data() + y * samples.stride, nullptr);
    }
  });
  samples.whole = ended || has_all_rows(session, image, passes);
  return samples;
}

using Palette = std::array<std::array<std::uint8_t, 3>, 256>;

Palette palette_of(PngSession& session) {
  Palette palette{};
  png_colorp colours = nullptr;
  int count = 0;
  png_get_PLTE(session.library, session.info, &colours, &count);
  for (int i = 0; i < count; ++i)
    palette[static_cast<std::size_t>(i)] = {colours[i].red, colours[i].green, colours[i].blue};
  return palette;
}

// What a grey sample of so many bits becomes, times the sample.
unsigned grey_step(png_byte depth) {
  return depth >= 8 ? 1u : 255u / ((1u << depth) - 1u);
}

void to_rgb(const Samples& samples, const Palette& palette, Image& image) {
  const unsigned step = grey_step(samples.depth);
  const std::size_t width = samples.wide_grey() ? 2 : samples.channels;
  const png_byte* from = samples.bytes.data();
  for (std::uint8_t* to = image.rgb.data(); to != image.rgb.data() + image.rgb.size();
       to += 3, from += width) {
    if (samples.colour == PNG_COLOR_TYPE_PALETTE) {
      std::memcpy(to, palette[from[0]].data(), 3);
    } else if (samples.colour & PNG_COLOR_MASK_COLOR) {
      std::memcpy(to, from, 3);
    } else if (samples.wide_grey()) {
      to[0] = to[1] = to[2] = from[0] == 0 ? from[1] : 255;
    } else {
      to[0] = to[1] = to[2] = static_cast<std::uint8_t>(from[0] * step);
    }
  }
}

}  // namespace

bool is_png(std::string_view bytes) {
  return bytes.starts_with(kSignature);
}

Image decode_png(const ImageFile& file) {
  const std::optional<std::string> repaired = completed(file.bytes);
  PngSession session;
  session.rest = repaired ? std::string_view(*repaired) : file.bytes;
  open_png(session, file);
  const std::size_t width = png_get_image_width(session.library, session.info);
  const std::size_t height = png_get_image_height(session.library, session.info);
  file.check_density(width, height);
  Image image = file.image_of(width, height);
  const Samples samples = read_samples(session, image);
  if (session.rows == 0 && !samples.whole) file.reject(session.text);
  to_rgb(samples, palette_of(session), image);
  image.truncated = !samples.whole;
  return image;
}

}  // namespace capella::io
