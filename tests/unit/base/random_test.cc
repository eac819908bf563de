// Expected values are numpy's: default_rng(seed).
#include "base/random.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace capella {
namespace {

TEST(Random, DrawsWhatNumpyDraws) {
  Random random(12345);  // .choice(1000, 10)
  for (const std::uint32_t expected : {699u, 227u, 788u, 316u, 204u, 797u, 642u, 676u, 988u, 391u})
    EXPECT_EQ(random.below(1000), expected);
}

TEST(Random, UniformNumbersAreNumpys) {
  Random random(0);
  EXPECT_EQ(random.uniform(), 0.6369616873214543);
  EXPECT_EQ(random.uniform(), 0.2697867137638703);
}

TEST(Random, SeedsBeyond32BitsCount) {
  Random random(0xFFFFFFFFFFu);
  for (const std::uint32_t expected : {798u, 265u, 111u, 741u, 189u, 566u, 679u, 217u, 701u, 463u})
    EXPECT_EQ(random.below(1000), expected);
}

TEST(Random, CoinsAreNumpys) {
  std::array<std::uint8_t, 40> coins;
  Random(12345).coins(coins);
  const std::array<std::uint8_t, 40> expected = {1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1,
                                                 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1};
  EXPECT_EQ(coins, expected);
}

// About a third of these draws are rejected, so the rule of rejection counts.
TEST(Random, LargeBoundsAreNumpys) {
  Random random(12345);
  std::uint64_t hash = 0;
  for (int i = 0; i < 1'000'000; ++i) hash = hash * 31 + random.below(3'000'000'000u);
  EXPECT_EQ(hash, 14223394311035474676u);
}

TEST(Random, NormalNumbersHaveMeanZeroAndDeviationOne) {
  Random random(1);
  double sum = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kDraws, 0, 4 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 4 * std::sqrt(2.0 / kDraws));
}

}  // namespace
}  // namespace capella
