// R-hat, effective sample sizes and standard errors, by hand and on chains whose answers are known.
#include "logic/gibbs/diagnostics.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace capella::test {
namespace {

using logic::ChainBits;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Diagnostics, RhatOfTwoShortChains) {
  // 101101 and 001010: B = 1/3, W = 4/15, V = 5/18.
  EXPECT_NEAR(logic::rhat(std::vector<std::uint32_t>{4, 2}, 6), 1.0206207262, 1e-10);
  EXPECT_NEAR(logic::rhat(std::vector<std::uint32_t>{4, 2}, 6), std::sqrt((5.0 / 18) / (4.0 / 15)), 1e-15);
}

TEST(Diagnostics, RhatOfConstantChains) {
  EXPECT_EQ(logic::rhat(std::vector<std::uint32_t>{0, 0, 0}, 10), 1);
  EXPECT_EQ(logic::rhat(std::vector<std::uint32_t>{10, 10}, 10), 1);
  EXPECT_EQ(logic::rhat(std::vector<std::uint32_t>{0, 10}, 10), kInfinity);
  EXPECT_EQ(logic::rhat(std::vector<std::uint32_t>{1, 0}, 1), kInfinity);
}

TEST(Diagnostics, StandardErrorFromBatches) {
  // Mean 0.5; squares 2 x 0.01 + 2 x 0.04 = 0.1; sqrt(0.1 / 3 / 4).
  EXPECT_NEAR(logic::batch_mcse(std::vector<double>{0.4, 0.6, 0.3, 0.7}), std::sqrt(0.1 / 12), 1e-15);
  EXPECT_EQ(logic::batch_mcse(std::vector<double>{0.4}), kInfinity);
}

TEST(Diagnostics, BatchEssByHand) {
  // Means 0.2 and 0.8 of 10 draws each: their mean's variance is 0.09; a draw's is 0.25 x 20 / 19.
  EXPECT_NEAR(logic::batch_ess(std::vector<std::uint32_t>{2, 8}, 10), 0.25 * 20 / 19 / 0.09, 1e-12);
}

TEST(Diagnostics, BatchEssIsAtMostTheNumberOfDraws) {
  EXPECT_EQ(logic::batch_ess(std::vector<std::uint32_t>{5, 5, 5}, 10), 30);
  EXPECT_EQ(logic::batch_ess(std::vector<std::uint32_t>{0, 0, 0}, 10), 30);
  EXPECT_NEAR(logic::batch_ess(std::vector<std::uint32_t>{0, 10}, 10), 0.25 * 20 / 19 / 0.25, 1e-12);
}

// Sixteen chains that keep their value with probability `stay`; the autocorrelations are (2 stay - 1)^k.
std::vector<std::uint16_t> sticky(std::size_t draws, double stay) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit;
  std::vector<std::uint16_t> result(draws);
  std::uint16_t state = 0x5A5A;
  for (std::uint16_t& mask : result) {
    for (unsigned lane = 0; lane < 16; ++lane) {
      if (unit(random) >= stay) state = static_cast<std::uint16_t>(state ^ (1u << lane));
    }
    mask = state;
  }
  return result;
}

std::vector<std::uint32_t> batches(const std::vector<std::uint16_t>& bits, std::size_t length) {
  std::vector<std::uint32_t> ones;
  for (std::size_t begin = 0; begin + length <= bits.size(); begin += length) {
    for (unsigned lane = 0; lane < 16; ++lane) {
      ones.push_back(0);
      for (std::size_t k = begin; k < begin + length; ++k) ones.back() += (bits[k] >> lane) & 1u;
    }
  }
  return ones;
}

TEST(Diagnostics, EssOfStickyChains) {
  for (const double stay : {0.5, 0.75, 0.95}) {
    const double correlation = 2 * stay - 1;
    const std::vector<std::uint16_t> bits = sticky(20'000, stay);
    const double draws = 16 * 20'000;
    const double expected = draws * (1 - correlation) / (1 + correlation);
    const std::vector<ChainBits> groups = {bits};
    EXPECT_NEAR(logic::initial_positive_ess(groups) / expected, 1, 0.05) << stay;
    EXPECT_NEAR(logic::batch_ess(batches(bits, 1'000), 1'000) / expected, 1, 0.2) << stay;
    EXPECT_NEAR(logic::split_rhat(groups), 1, 0.005) << stay;
  }
}

TEST(Diagnostics, GroupsCountTogether) {
  const std::vector<std::uint16_t> bits = sticky(5'000, 0.75);
  const std::vector<ChainBits> twice = {ChainBits(bits).first(2'500), ChainBits(bits).last(2'500)};
  EXPECT_NEAR(logic::initial_positive_ess(twice) / (16 * 5'000 / 3.0), 1, 0.1);
}

TEST(Diagnostics, StuckChainsAreSeen) {
  const std::vector<std::uint16_t> stuck(1'000, 0x00FF);
  const std::vector<ChainBits> groups = {stuck};
  EXPECT_EQ(logic::split_rhat(groups), kInfinity);
  EXPECT_LT(logic::initial_positive_ess(groups), 100);
}

TEST(Diagnostics, ConstantQueryHasAllDraws) {
  const std::vector<std::uint16_t> never(1'000, 0);
  const std::vector<ChainBits> groups = {never};
  EXPECT_EQ(logic::initial_positive_ess(groups), 16'000);
  EXPECT_EQ(logic::split_rhat(groups), 1);
  EXPECT_EQ(logic::count_ones(never), 0u);
}

}  // namespace
}  // namespace capella::test
