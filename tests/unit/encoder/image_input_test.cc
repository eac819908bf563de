#include "encoder/image_input.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_clip.h"

namespace capella::encoder {
namespace {

// Rows of one grey level each.
io::Image stripes(std::size_t width, std::size_t height) {
  io::Image image{width, height, {}, false};
  for (std::size_t y = 0; y < height; ++y)
    image.rgb.insert(image.rgb.end(), 3 * width, static_cast<std::uint8_t>(y));
  return image;
}

ImageInput input_of(std::size_t size, Crop crop) {
  ImageInput input;
  input.size = size;
  input.crop = crop;
  return input;
}

// torchvision: round((h - size) / 2) with halves to even; Hugging Face: (h - size) // 2. Nothing is resized
// here, since the short side has its size already.
TEST(ImageInput, TheMiddleOfAnOddMargin) {
  const std::size_t torchvision[] = {0, 0, 1, 2, 2, 2, 3, 4, 4};
  for (std::size_t margin = 0; margin < 9; ++margin) {
    const io::Image tall = stripes(10, 10 + margin);
    EXPECT_EQ(resize_and_crop(tall, input_of(10, Crop::kRoundHalfEven)).rgb[0], torchvision[margin])
        << margin;
    EXPECT_EQ(resize_and_crop(tall, input_of(10, Crop::kFloor)).rgb[0], margin / 2) << margin;
  }
}

TEST(ImageInput, LongPicturesTakeNoMoreMemoryThanTheWindow) {
  io::Image line{1, 1 << 20, {}, false};
  line.rgb.assign(3 << 20, 77);
  const io::Image small = resize_and_crop(line, input_of(224, Crop::kRoundHalfEven));
  EXPECT_EQ(small.rgb, std::vector<std::uint8_t>(3 * 224 * 224, 77));
}

TEST(ImageInput, PixelsAreNormalisedChannelByChannel) {
  const io::Image image{1, 1, {0, 51, 255}, false};
  ImageInput input = input_of(1, Crop::kFloor);
  input.mean = {0.5f, 0.25f, 0.0f};
  input.deviation = {0.5f, 1.0f, 0.25f};
  std::vector<float> pixels(3);
  image_pixels(image, input, pixels.data());
  EXPECT_FLOAT_EQ(pixels[0], -1.0f);
  EXPECT_FLOAT_EQ(pixels[1], -0.05f);
  EXPECT_FLOAT_EQ(pixels[2], 4.0f);
}

class ImageInputOfFolder : public ::testing::Test {
 protected:
  ImageInput read(const std::string& file, const std::string& json) {
    model_.folder().write(file, json);
    return ImageInput::from(ModelFolder(model_.path()), 12);
  }
  std::string refusal(const std::string& json) {
    return test::message_of<FileError>([&] { read("preprocessor_config.json", json); });
  }

  test::SmallClip model_;
};

TEST_F(ImageInputOfFolder, WithoutAWordOpenAisNumbersHold) {
  const ImageInput input = ImageInput::from(ModelFolder(model_.path()), 12);
  EXPECT_EQ(input.size, 12u);
  EXPECT_EQ(input.mean, ImageInput().mean);
  EXPECT_EQ(input.crop, Crop::kRoundHalfEven);
}

TEST_F(ImageInputOfFolder, TheProcessorIsRead) {
  const ImageInput input = read("preprocessor_config.json",
                                R"({"image_mean": [0.5, 0.25, 0], "image_std": [0.5, 1, 2], "resample": 3,
                                    "size": {"shortest_edge": 12}, "crop_size": {"height": 12, "width": 12}})");
  EXPECT_EQ(input.mean, (std::array<float, 3>{0.5f, 0.25f, 0.0f}));
  EXPECT_EQ(input.deviation, (std::array<float, 3>{0.5f, 1.0f, 2.0f}));
  EXPECT_EQ(read("preprocessor_config.json", R"({"size": 12, "crop_size": 12})").mean, ImageInput().mean);
}

TEST_F(ImageInputOfFolder, OpenClipsConfigurationIsRead) {
  const ImageInput input = read("open_clip_config.json",
                                R"({"preprocess_cfg": {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5]}})");
  EXPECT_EQ(input.mean, (std::array<float, 3>{0.5f, 0.5f, 0.5f}));
}

TEST_F(ImageInputOfFolder, WhatOpenClipDoesOtherwiseIsRefused) {
  const auto said = [&](const std::string& choice) {
    return test::message_of<FileError>(
        [&] { read("open_clip_config.json", R"({"preprocess_cfg": {)" + choice + "}}"); });
  };
  EXPECT_NE(said(R"("resize_mode": "squash")").find("is \"squash\", expected \"shortest\""),
            std::string::npos);
  EXPECT_NE(said(R"("interpolation": "bilinear")").find("expected \"bicubic\""), std::string::npos);
  EXPECT_NO_THROW(read("open_clip_config.json",
                       R"({"preprocess_cfg": {"resize_mode": "shortest", "interpolation": "bicubic"}})"));
}

TEST_F(ImageInputOfFolder, WhatCannotBeDoneIsRefused) {
  EXPECT_NE(refusal("[").find("preprocessor_config.json: found no JSON object"), std::string::npos);
  EXPECT_NE(refusal(R"({"image_mean": [1, 2]})").find("expected three numbers"), std::string::npos);
  EXPECT_NE(refusal(R"({"image_std": [0.5, 0, 1]})").find("not above 0"), std::string::npos);
  EXPECT_NE(refusal(R"({"size": {"shortest_edge": 16}})").find("expected the 12 pixels"), std::string::npos);
  EXPECT_NE(refusal(R"({"crop_size": 16})").find("expected the 12 pixels"), std::string::npos);
  EXPECT_NE(refusal(R"({"resample": 2})").find("bicubic"), std::string::npos);
  EXPECT_NE(refusal(R"({"image_mean": [1e300, 0, 0]})").find("the mean of a channel"), std::string::npos);
  EXPECT_NE(refusal(R"({"image_std": [1e-40, 1, 1]})").find("the deviation of a channel"), std::string::npos);
  for (const char* step : {"do_resize", "do_center_crop", "do_rescale", "do_normalize"})
    EXPECT_NE(refusal(fmt::format(R"({{"{}": false}})", step)).find(fmt::format("\"{}\" is false", step)),
              std::string::npos);
  EXPECT_NE(refusal(R"({"rescale_factor": 1})").find("\"rescale_factor\" is 1, expected 1/255"),
            std::string::npos);
  EXPECT_EQ(read("preprocessor_config.json",
                 R"({"do_resize": true, "do_normalize": null, "rescale_factor": 0.00392156862745098})")
                .mean,
            ImageInput().mean);
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_NE(refusal("{\"size\": " + deep + "}").find("preprocessor_config.json: nested more than"),
            std::string::npos);
}

}  // namespace
}  // namespace capella::encoder
