// JPEG by libjpeg-turbo, with the choices that Pillow leaves to it: the slow integer transform, smooth
// upsampling of colour. Grey is spread to three channels. Four channels are taken for inverted CMYK, as Adobe
// writes it, and turned into RGB by Pillow's integer formula.
#include <csetjmp>
#include <cstdio>
#include <vector>

#include <jpeglib.h>

#include "io/image/decoders.h"

namespace capella::io {
namespace {

// Each scan of a progressive file goes over the whole picture; real ones have about ten.
constexpr int kMostScans = 500;

// The library reports a failure by a call that must not return; `back` is where it then goes.
struct Failure {
  jpeg_error_mgr library;
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];
};

struct Session {
  jpeg_decompress_struct library{};
  Failure failure{};
  jpeg_progress_mgr progress{};
  bool ended_early = false;  // the file was read to its end before the picture was whole
  JDIMENSION rows = 0;       // that were decoded

  Session() = default;
  ~Session() { jpeg_destroy_decompress(&library); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

Session& session_of(j_common_ptr library) {
  return *static_cast<Session*>(library->client_data);
}

void fail(j_common_ptr library) {
  Failure& failure = session_of(library).failure;
  library->err->format_message(library, failure.text);
  std::longjmp(failure.back, 1);
}

void ignore_message(j_common_ptr) {}
void ignore_message(j_common_ptr, int) {}

void limit_scans(j_common_ptr library) {
  Session& session = session_of(library);
  if (session.library.input_scan_number <= kMostScans) return;
  std::snprintf(session.failure.text, sizeof session.failure.text, "more than %d scans", kMostScans);
  std::longjmp(session.failure.back, 1);
}

// What is missing at the end is an end marker; the library then fills up the picture.
boolean end_of_file(j_decompress_ptr library) {
  static constexpr JOCTET kEndOfImage[] = {0xff, JPEG_EOI};
  session_of(reinterpret_cast<j_common_ptr>(library)).ended_early = true;
  library->src->next_input_byte = kEndOfImage;
  library->src->bytes_in_buffer = sizeof kEndOfImage;
  return TRUE;
}

// Runs calls of the library; false if they failed. What `work` makes must not need destroying.
template <class Work>
bool succeeds(Session& session, const Work& work) {
  if (setjmp(session.failure.back) != 0) return false;
  work();
  return true;
}

void open(Session& session, const ImageFile& file) {
  jpeg_decompress_struct& library = session.library;
  library.err = jpeg_std_error(&session.failure.library);
  session.failure.library.error_exit = fail;
  session.failure.library.output_message = ignore_message;
  session.failure.library.emit_message = ignore_message;
  library.client_data = &session;
  const bool opened = succeeds(session, [&] {
    jpeg_create_decompress(&library);
    session.progress.progress_monitor = limit_scans;
    library.progress = &session.progress;
    jpeg_mem_src(&library, file.data(), file.bytes.size());
    library.src->fill_input_buffer = end_of_file;
    jpeg_read_header(&library, TRUE);
  });
  if (!opened) file.reject(session.failure.text);
}

J_COLOR_SPACE wanted_space(int channels, const ImageFile& file) {
  switch (channels) {
    case 1:
      return JCS_GRAYSCALE;
    case 3:
      return JCS_RGB;
    case 4:
      return JCS_CMYK;
    default:
      file.reject("found " + std::to_string(channels) + " channels, expected 1, 3 or 4");
  }
}

// a * b / 255, rounded, for bytes.
unsigned scaled(unsigned a, unsigned b) {
  const unsigned product = a * b + 128;
  return ((product >> 8) + product) >> 8;
}

void spread_row(const std::vector<JSAMPLE>& from, int channels, std::uint8_t* to, std::size_t width) {
  for (std::size_t x = 0; x < width; ++x, to += 3) {
    if (channels == 1) {
      to[0] = to[1] = to[2] = from[x];
      continue;
    }
    const unsigned light = from[4 * x + 3];  // inverted: 255 - black
    for (std::size_t c = 0; c < 3; ++c)
      to[c] = static_cast<std::uint8_t>(light - scaled(255u - from[4 * x + c], light));
  }
}

// Whether all rows could be decoded; those that could are in the image.
bool read_rows(Session& session, Image& image) {
  jpeg_decompress_struct& library = session.library;
  const int channels = library.num_components;
  std::vector<JSAMPLE> row(channels == 3 ? 0 : image.width * static_cast<std::size_t>(channels));
  return succeeds(session, [&] {
    jpeg_start_decompress(&library);
    while (library.output_scanline < library.output_height) {
      std::uint8_t* to = image.rgb.data() + image.width * 3 * session.rows;
      JSAMPROW target = channels == 3 ? to : row.data();
      jpeg_read_scanlines(&library, &target, 1);
      if (channels != 3) spread_row(row, channels, to, image.width);
      ++session.rows;
    }
    jpeg_finish_decompress(&library);
  });
}

}  // namespace

bool is_jpeg(std::string_view bytes) {
  return bytes.starts_with("\xff\xd8\xff");
}

Image decode_jpeg(const ImageFile& file) {
  Session session;
  open(session, file);
  jpeg_decompress_struct& library = session.library;
  library.out_color_space = wanted_space(library.num_components, file);
  file.check_density(library.image_width, library.image_height);
  Image image = file.image_of(library.image_width, library.image_height);
  if (library.num_components == 4) image.rgb.assign(image.rgb.size(), 255);  // CMYK without ink
  const bool whole = read_rows(session, image);
  if (session.rows == 0) file.reject(session.failure.text);
  image.truncated = !whole || session.ended_early;
  return image;
}

}  // namespace capella::io
