// Photos and generated pictures, resized and cropped by Pillow: decoding and resampling equal to the bit.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "encoder/image_input.h"
#include "io/image/image.h"
#include "support/shared.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;

void expect_as_pillow(const fs::path& picture, const fs::path& expected) {
  const io::Image small = resize_and_crop(io::read_image(picture.string()), ImageInput{});
  const io::Image pillow = io::read_image(expected.string());
  ASSERT_EQ(small.width, pillow.width);
  ASSERT_EQ(small.height, pillow.height);
  EXPECT_TRUE(small.rgb == pillow.rgb) << picture;
  EXPECT_FALSE(small.truncated);
}

TEST(ImageInputGolden, PhotosAreAsPillowMakesThem) {
  CAPELLA_NEED_SHARED(list, "golden/neural/images.json");
  CAPELLA_NEED_SHARED(photos, "data/images/photos");
  std::size_t seen = 0;
  for (const auto& row : nlohmann::json::parse(std::ifstream(list))) {
    const fs::path photo = row.at("photo").get<std::string>();
    expect_as_pillow(photos / photo, list.parent_path() / (photo.stem().string() + ".224.png"));
    const io::Image image = io::read_image((photos / photo).string());
    EXPECT_EQ(image.width, row.at("size")[0].get<std::size_t>());
    EXPECT_EQ(image.height, row.at("size")[1].get<std::size_t>());
    ++seen;
  }
  EXPECT_EQ(seen, 10u);
}

TEST(ImageInputGolden, GeneratedPicturesAreAsPillowMakesThem) {
  CAPELLA_NEED_SHARED(folder, "golden/neural");
  for (int i = 0; i < 5; ++i) {
    const std::string name = "synt" + std::to_string(i);
    expect_as_pillow(folder / (name + ".png"), folder / (name + ".224.png"));
  }
}

}  // namespace
}  // namespace capella::encoder
