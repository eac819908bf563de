// Float linear maps by hand, and how near what comes after the product is to its formula.
#include "tensor/float_linear.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace capella::tensor {
namespace {

class FloatLinearTest : public ::testing::TestWithParam<const Kernels*> {};

// `after` of each number: the product with 1.
std::vector<float> after(const Kernels& kernels, After what, const std::vector<float>& values) {
  const FloatLinear map(std::vector<float>{1.0f}, {}, 1, 1);
  AlignedVector<float> rows(values.size() * kLanes), out(values.size() * kLanes);
  for (std::size_t i = 0; i < values.size(); ++i) rows[i * kLanes] = values[i];
  map.apply(kernels, rows.data(), kLanes, values.size(), out.data(), kLanes, what);
  std::vector<float> result;
  for (std::size_t i = 0; i < values.size(); ++i) result.push_back(out[i * kLanes]);
  return result;
}

std::vector<float> many_numbers() {
  std::vector<float> values;
  for (int i = -120'000; i <= 120'000; i += 3) values.push_back(static_cast<float>(i) / 1e4f);
  for (float x = 1e-3f; x > 1e-30f; x /= 3) values.insert(values.end(), {x, -x});
  return values;
}

double erf_of_gelu(float x, float gelu) {
  return 2 * static_cast<double>(gelu) / static_cast<double>(x) - 1;
}

TEST_P(FloatLinearTest, GeluIsThatOfTheErrorFunction) {
  const std::vector<float> values = many_numbers(), found = after(*GetParam(), After::kGelu, values);
  double worst = 0, worst_erf = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(values[i]), expected = x / 2 * std::erfc(-x / std::sqrt(2.0));
    worst =
        std::max(worst, std::fabs(static_cast<double>(found[i]) - expected) / std::max(1.0, std::fabs(x)));
    if (x != 0)
      worst_erf =
          std::max(worst_erf, std::fabs(erf_of_gelu(values[i], found[i]) - std::erf(x / std::sqrt(2.0))));
  }
  EXPECT_LE(worst, 1e-7);
  EXPECT_LE(worst_erf, 2e-7);
}

TEST_P(FloatLinearTest, OtherActivationsAreNearTheirFormulas) {
  const std::vector<float> values = many_numbers();
  const std::vector<float> quick = after(*GetParam(), After::kQuickGelu, values);
  const std::vector<float> tangent = after(*GetParam(), After::kTanh, values);
  double worst_quick = 0, worst_tangent = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(values[i]);
    const double expected = x / (1 + std::exp(-1.702 * x));
    worst_quick = std::max(worst_quick,
                           std::fabs(static_cast<double>(quick[i]) - expected) / std::max(1.0, std::fabs(x)));
    worst_tangent = std::max(worst_tangent, std::fabs(static_cast<double>(tangent[i]) - std::tanh(x)));
  }
  EXPECT_LE(worst_quick, 3e-7);
  EXPECT_LE(worst_tangent, 6e-7);
}

TEST_P(FloatLinearTest, ActivationsTakeNumbersOfAnySize) {
  const std::vector<float> values = {0.0f, 100.0f, -100.0f, 1e30f, -1e30f, 3e38f, -3e38f};
  for (const After what : {After::kGelu, After::kQuickGelu, After::kRelu}) {
    const std::vector<float> found = after(*GetParam(), what, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(found[i], std::max(values[i], 0.0f), 1e-15f) << values[i];
    }
  }
  const std::vector<float> tangent = after(*GetParam(), After::kTanh, values);
  for (std::size_t i = 1; i < values.size(); ++i)
    EXPECT_NEAR(tangent[i], values[i] > 0 ? 1.0f : -1.0f, 6e-7f);
  EXPECT_EQ(tangent[0], 0.0f);
}

TEST_P(FloatLinearTest, AddsToWhatIsThere) {
  const FloatLinear map(std::vector<float>{1, 2, 3, 4, 5, 6}, std::vector<float>{10, 20}, 2, 3);
  EXPECT_EQ(map.inputs(), 3u);
  EXPECT_EQ(map.outputs(), 2u);
  EXPECT_EQ(map.stride(), 16u);
  AlignedVector<float> row(16), out(16, 100.0f);
  row[0] = 1;
  row[1] = -1;
  row[2] = 2;
  map.apply(*GetParam(), row.data(), 16, 1, out.data(), 16, After::kAdd);
  EXPECT_EQ(out[0], 100 + 1 - 2 + 6 + 10);
  EXPECT_EQ(out[1], 100 + 4 - 5 + 12 + 20);
  EXPECT_EQ(out[2], 100);
  map.apply(*GetParam(), row.data(), 16, 1, out.data(), 16, After::kStore);
  EXPECT_EQ(out[0], 15);
  EXPECT_EQ(out[2], 0);
}

// Each step has one rounding: (1 + 2^-23) * (1 - 2^-24) - 1 is 2^-24 - 2^-47, of which a rounded product
// would leave 0 or 2^-23.
TEST_P(FloatLinearTest, MultiplyAddsAreFused) {
  const float above = 1 + 0x1p-23f, below = 1 - 0x1p-24f;
  const FloatLinear map(std::vector<float>{1.0f, below}, {}, 1, 2);
  AlignedVector<float> row(16), out(16);
  row[0] = -1;
  row[1] = above;
  map.apply(*GetParam(), row.data(), 16, 1, out.data(), 16, After::kStore);
  EXPECT_EQ(out[0], 0x1p-24f - 0x1p-47f);
}

// Work is cut after 96 rows, 512 inputs and 512 outputs; whole numbers make every sum exact.
TEST_P(FloatLinearTest, LargeProductsAreCutWithoutATrace) {
  constexpr std::size_t kCount = 101, kInputs = 1027, kOutputs = 531;
  std::vector<float> weight(kOutputs * kInputs), bias(kOutputs);
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<float>(i * 7 % 11) - 5;
  for (std::size_t o = 0; o < kOutputs; ++o) bias[o] = static_cast<float>(o);
  const FloatLinear map(weight, bias, kOutputs, kInputs);
  AlignedVector<float> rows(kCount * 1040), out(kCount * map.stride());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i * 5 % 7) - 3;
  map.apply(*GetParam(), rows.data(), 1040, kCount, out.data(), map.stride(), After::kStore);
  for (const std::size_t r : {0u, 11u, 12u, 95u, 96u, 100u}) {
    for (const std::size_t o : {0u, 15u, 16u, 511u, 512u, 530u}) {
      float expected = bias[o];
      for (std::size_t k = 0; k < kInputs; ++k) expected += rows[r * 1040 + k] * weight[o * kInputs + k];
      EXPECT_EQ(out[r * map.stride() + o], expected) << r << " " << o;
    }
  }
}

TEST_P(FloatLinearTest, NormsWithItsEpsilon) {
  const std::vector<float> weight(16, 3.0f), bias(16, 1.0f);
  AlignedVector<float> row(16, 0.0f);
  row[0] = 4.0f;
  row[1] = -4.0f;  // variance 2
  FloatNorm(weight, bias, 2.0f).apply(*GetParam(), row.data(), 16, 1, row.data(), 16);
  EXPECT_EQ(row[0], 7.0f);
  EXPECT_EQ(row[1], -5.0f);
  EXPECT_EQ(row[2], 1.0f);
}

INSTANTIATE_TEST_SUITE_P(All, FloatLinearTest, ::testing::ValuesIn(all_kernels()),
                         [](const auto& one) { return std::string(name(one.param->level)); });

}  // namespace
}  // namespace capella::tensor
