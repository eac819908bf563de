// Pictures are decoded as Pillow decodes them. Expected pixels are Pillow's (12.3), those of PNG follow from
// its rules: alpha dropped, colour of 16 bits cut to the upper eight, grey of 16 bits cut off at 255.
#include "io/image/image.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_pictures.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::png_file;
using test::PngParts;
using Bytes = std::vector<std::uint8_t>;

std::string refusal(const std::string& bytes, std::size_t most_pixels = kMostPixels) {
  return message_of<FileError>([&] { decode_image(bytes, "p.jpg", most_pixels); });
}

TEST(Image, IsDecodedAsPillowDoes) {
  for (const test::Picture* picture : {&test::kJpeg, &test::kGreyJpeg, &test::kCmykJpeg, &test::kWebp,
                                       &test::kClearWebp, &test::kMovingWebp}) {
    const Image image = decode_image(picture->bytes(), "p");
    EXPECT_EQ(image.width, picture->width);
    EXPECT_EQ(image.height, picture->height);
    EXPECT_EQ(image.rgb, picture->rgb());
    EXPECT_FALSE(image.truncated);
  }
}

TEST(Image, IsReadFromAFileWhateverItsName) {
  const test::TempDir folder;
  EXPECT_EQ(read_image(folder.write("a.png", test::kJpeg.bytes())).rgb, test::kJpeg.rgb());
  EXPECT_NE(
      message_of<FileError>([&] { read_image((folder.path() / "none.jpg").string()); }).find("none.jpg"),
      std::string::npos);
  const std::string pipe = (folder.path() / "pipe.jpg").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(message_of<FileError>([&] { read_image(pipe); }),
            pipe + ": is a pipe, expected a picture's file");
}

Bytes png_pixels(const PngParts& parts) {
  const Image image = decode_image(png_file(parts), "p.png");
  EXPECT_FALSE(image.truncated);
  return image.rgb;
}

TEST(Image, GreyPngOfAnyDepth) {
  const auto grey = [](std::uint32_t width, int depth, const std::string& row) {
    return png_pixels({.width = width, .depth = depth, .colour = PNG_COLOR_TYPE_GRAY, .rows = '\0' + row});
  };
  EXPECT_EQ(grey(4, 1, "\xa0"), (Bytes{255, 255, 255, 0, 0, 0, 255, 255, 255, 0, 0, 0}));
  EXPECT_EQ(grey(4, 2, "\x1b"), (Bytes{0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255}));
  EXPECT_EQ(grey(2, 4, "\x5f"), (Bytes{85, 85, 85, 255, 255, 255}));
  EXPECT_EQ(grey(1, 8, "\x07"), (Bytes{7, 7, 7}));
  EXPECT_EQ(grey(4, 16, std::string("\0\x05\0\xff\x01\0\xff\xff", 8)),
            (Bytes{5, 5, 5, 255, 255, 255, 255, 255, 255, 255, 255, 255}));
}

TEST(Image, PngWithColourAndAlpha) {
  EXPECT_EQ(png_pixels({.depth = 16, .rows = std::string("\0\x12\xff\0\xff\xff\xfe", 7)}),
            (Bytes{18, 0, 255}));
  EXPECT_EQ(png_pixels({.colour = PNG_COLOR_TYPE_RGB_ALPHA, .rows = std::string("\0\x09\x08\x07\0", 5)}),
            (Bytes{9, 8, 7}));
  EXPECT_EQ(png_pixels({.depth = 16,
                        .colour = PNG_COLOR_TYPE_RGB_ALPHA,
                        .rows = std::string("\0\x12\xff\0\xff\x77\x88\0\0", 9)}),
            (Bytes{18, 0, 119}));
  EXPECT_EQ(
      png_pixels(
          {.depth = 16, .colour = PNG_COLOR_TYPE_GRAY_ALPHA, .rows = std::string("\0\x12\xff\0\xff", 5)}),
      (Bytes{18, 18, 18}));
  EXPECT_EQ(png_pixels({.colour = PNG_COLOR_TYPE_GRAY_ALPHA, .rows = std::string("\0\x12\0", 3)}),
            (Bytes{18, 18, 18}));
}

TEST(Image, PngWithAPalette) {
  const std::string colours = "\1\2\3\4\5\6";
  EXPECT_EQ(png_pixels({.width = 4,
                        .colour = PNG_COLOR_TYPE_PALETTE,
                        .rows = std::string("\0\0\1\2\xc8", 5),
                        .palette = colours}),
            (Bytes{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(png_pixels({.width = 4,
                        .depth = 1,
                        .colour = PNG_COLOR_TYPE_PALETTE,
                        .rows = std::string("\0\xa0", 2),
                        .palette = colours,
                        .transparent = std::string("\0\x64", 2)}),
            (Bytes{4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3}));
}

TEST(Image, JpegThatEndsEarlyIsFilledUpAndMarked) {
  const Image cut = decode_image(test::kCutJpeg.bytes(), "p");
  EXPECT_TRUE(cut.truncated);
  EXPECT_EQ(cut.rgb, test::kCutJpeg.rgb());
  EXPECT_NE(cut.rgb, test::kJpeg.rgb());
  const std::string whole = test::kJpeg.bytes();
  const Image unmarked = decode_image(std::string_view(whole).substr(0, whole.size() - 2), "p");
  EXPECT_TRUE(unmarked.truncated);
  EXPECT_EQ(unmarked.rgb, test::kJpeg.rgb());  // only the end marker was missing
}

PngParts three_rows() {
  return {
      .width = 2, .height = 3, .colour = PNG_COLOR_TYPE_GRAY, .rows = std::string("\0\1\2\0\3\4\0\5\6", 9)};
}

// However short the file is: its whole rows are there, the others are black, and it is marked, unless
// nothing can be decoded.
TEST(Image, PngThatEndsEarlyKeepsItsWholeRows) {
  const std::string whole = png_file(three_rows());
  const Bytes all = decode_image(whole, "p").rgb;
  std::size_t most_black = 0;
  std::size_t refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      const Image image = decode_image(std::string_view(whole).substr(0, size), "p.png");
      std::size_t black = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        black += image.rgb[i] == 0;
        EXPECT_TRUE(image.rgb[i] == all[i] || image.rgb[i] == 0) << size;
      }
      EXPECT_EQ(black % 6, 0u);
      EXPECT_EQ(image.truncated, black > 0) << size;
      most_black = std::max(most_black, black);
    } catch (const FileError&) {
      ++refused;
    }
  }
  EXPECT_EQ(most_black, 12u);
  EXPECT_GT(refused, 33u);  // signature and header
}

TEST(Image, WrongChecksumOfPixelsIsNotMinded) {
  std::string bytes = png_file(three_rows());
  bytes[bytes.size() - 13] ^= 1;  // the last byte of the checksum before IEND
  const Image image = decode_image(bytes, "p.png");
  EXPECT_EQ(image.rgb, decode_image(png_file(three_rows()), "p").rgb);
  EXPECT_FALSE(image.truncated);
}

TEST(Image, OtherFilesAreRefused) {
  EXPECT_EQ(refusal(""), "p.jpg: found an empty file, expected a picture as JPEG, PNG or WebP");
  EXPECT_EQ(refusal("GIF89a"), "p.jpg: found another kind of file, expected a picture as JPEG, PNG or WebP");
  for (const test::Picture* picture : {&test::kJpeg, &test::kWebp, &test::kMovingWebp}) {
    const std::string begin = picture->bytes().substr(0, 20);
    EXPECT_TRUE(refusal(begin).starts_with("p.jpg: damaged picture: ")) << refusal(begin);
  }
}

TEST(Image, WebpThatEndsEarlyIsRefused) {
  const std::string whole = test::kWebp.bytes();
  for (std::size_t size = 12; size < whole.size() - 1; ++size)
    EXPECT_TRUE(refusal(whole.substr(0, size)).ends_with("; fetch the file again")) << size;
}

TEST(Image, HugeSizesAreRefused) {
  EXPECT_EQ(refusal(png_file({.width = 1u << 20, .height = 1u << 20, .rows = "x"})),
            "p.jpg: damaged picture: 1048576 x 1048576 pixels in 66 bytes; fetch the file again");
  EXPECT_NE(
      refusal(png_file({.width = 1u << 14, .height = 1u << 14, .rows = "x"})).find("pixels in 66 bytes"),
      std::string::npos);
  for (const test::Picture* picture : {&test::kJpeg, &test::kWebp, &test::kMovingWebp}) {
    const std::size_t pixels = picture->width * picture->height;
    EXPECT_NE(refusal(picture->bytes(), pixels - 1).find("expected at most"), std::string::npos);
    EXPECT_EQ(decode_image(picture->bytes(), "p", pixels).rgb, picture->rgb());
  }
}

}  // namespace
}  // namespace capella::io
