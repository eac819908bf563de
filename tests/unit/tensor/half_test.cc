#include "tensor/half.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace capella::tensor {
namespace {

TEST(Half, EveryNumberComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = from_half(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(from_half(to_half(value))));
    } else {
      EXPECT_EQ(to_half(value), bits);
    }
  }
}

// The nearest one, from all that there are above 0; of two the even one.
TEST(Half, RoundsToTheNearest) {
  for (unsigned bits = 0; bits < 0x7BFF; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits), high = static_cast<std::uint16_t>(bits + 1);
    const float middle = (from_half(low) + from_half(high)) / 2;  // exact
    const float above = std::nextafter(middle, 1e9f), below = std::nextafter(middle, 0.0f);
    EXPECT_EQ(to_half(middle), bits % 2 == 0 ? low : high);
    EXPECT_EQ(to_half(above), high);
    EXPECT_EQ(to_half(below), low);
    EXPECT_EQ(to_half(-above), high | 0x8000);
  }
}

TEST(Half, WhatIsTooLargeIsInfinite) {
  EXPECT_EQ(from_half(to_half(65504)), 65504);
  EXPECT_EQ(from_half(to_half(65519.99f)), 65504);
  EXPECT_TRUE(std::isinf(from_half(to_half(65520))));
  EXPECT_EQ(from_half(to_half(-1e30f)), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(to_half(1e-30f), 0);
  EXPECT_EQ(to_half(-1e-30f), 0x8000);
}

}  // namespace
}  // namespace capella::tensor
