// The resampling of pictures agrees with its slow twin, and a window of a picture is cut from the whole.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "encoder/resize_bicubic.h"
#include "reference/resize_bicubic_reference.h"

namespace capella::encoder {
namespace {

io::Image resize_bicubic_any_image() {
  const auto width = *rc::gen::inRange<std::size_t>(1, 40);
  const auto height = *rc::gen::inRange<std::size_t>(1, 40);
  const auto rgb =
      *rc::gen::container<std::vector<std::uint8_t>>(width * height * 3, rc::gen::arbitrary<std::uint8_t>());
  return {width, height, rgb, false};
}

std::size_t any_side() {
  return *rc::gen::inRange<std::size_t>(1, 60);
}

// The twin takes the same steps in other words, so that a weight may be rounded otherwise at its 22nd bit.
TEST(ResizeBicubicProperty, AgreesWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("resized", [] {
    const io::Image image = resize_bicubic_any_image();
    const std::size_t width = any_side();
    const std::size_t height = any_side();
    const io::Image fast = resize_bicubic(image, width, height, {0, 0, width, height});
    const auto slow =
        reference::resize_bicubic(image.rgb, static_cast<int>(image.width), static_cast<int>(image.height),
                                  static_cast<int>(width), static_cast<int>(height));
    RC_ASSERT(fast.rgb.size() == slow.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < slow.size(); ++i) {
      RC_ASSERT(std::abs(fast.rgb[i] - slow[i]) <= 1);
      different += fast.rgb[i] != slow[i];
    }
    RC_ASSERT(different <= 1 + slow.size() / 1000);
  }));
}

TEST(ResizeBicubicProperty, AWindowIsCutFromTheWhole) {
  EXPECT_TRUE(rc::check("window", [] {
    const io::Image image = resize_bicubic_any_image();
    const std::size_t width = any_side();
    const std::size_t height = any_side();
    Window window;
    window.left = *rc::gen::inRange<std::size_t>(0, width);
    window.top = *rc::gen::inRange<std::size_t>(0, height);
    window.width = *rc::gen::inRange<std::size_t>(1, width - window.left + 1);
    window.height = *rc::gen::inRange<std::size_t>(1, height - window.top + 1);
    const io::Image whole = resize_bicubic(image, width, height, {0, 0, width, height});
    const io::Image part = resize_bicubic(image, width, height, window);
    for (std::size_t y = 0; y < window.height; ++y) {
      for (std::size_t x = 0; x < 3 * window.width; ++x)
        RC_ASSERT(part.rgb[y * 3 * window.width + x] ==
                  whole.rgb[(y + window.top) * 3 * width + 3 * window.left + x]);
    }
  }));
}

}  // namespace
}  // namespace capella::encoder
