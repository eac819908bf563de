// Kernels by hand: values that can be worked out, and the corners of rounding.
#include "tensor/kernels.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tensor/aligned.h"
#include "tensor/linear.h"

namespace capella::tensor {
namespace {

class KernelsTest : public ::testing::TestWithParam<const Kernels*> {};

TEST(Kernels, PortableIsFirstAndBestIsLast) {
  const auto all = all_kernels();
  EXPECT_EQ(all.front()->level, CpuLevel::portable);
  EXPECT_EQ(all.back(), &kernels());
}

TEST_P(KernelsTest, QuantizesTiesToEven) {
  AlignedVector<float> row(16, 0.0f);
  const float values[] = {127.0f, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f, -127.0f, 0.49f, 0.51f};
  std::copy(std::begin(values), std::end(values), row.begin());
  AlignedVector<std::int8_t> out(64, 99);
  float scale = 0;
  GetParam()->quantize_rows(row.data(), 16, 1, 16, out.data(), 64, &scale);
  EXPECT_EQ(scale, 1.0f);
  const int expected[] = {127, 0, 2, 2, 0, -2, -2, 126, -127, 0, 1};
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i < 11 ? expected[i] : 0) << i;
}

TEST_P(KernelsTest, QuantizesZerosAndTinyNumbers) {
  AlignedVector<float> rows(32, 0.0f);
  rows[16] = 1e-36f;
  rows[17] = -5e-37f;
  AlignedVector<std::int8_t> out(128, 99);
  float scale[2] = {};
  GetParam()->quantize_rows(rows.data(), 16, 2, 16, out.data(), 64, scale);
  EXPECT_EQ(scale[0], 0.0f);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[64], 127);
  EXPECT_TRUE(out[65] == -63 || out[65] == -64);
}

TEST_P(KernelsTest, IntegerProductsAreExactAtTheirLimits) {
  constexpr std::size_t kInputs = 1152;
  const std::vector<std::int8_t> weights(3 * kInputs, -128);
  const std::vector<float> one(3, 1.0f), bias = {0.0f, 1.0f, -1.0f};
  const Linear map(weights, one, bias);
  AlignedVector<float> rows(kInputs, -3.0f), out(map.stride());
  QuantizedRows scratch;
  map.apply(*GetParam(), rows.data(), kInputs, 1, out.data(), map.stride(), After::kStore, scratch);
  const float scale = 3.0f / 127.0f;
  const float sum = 128.0f * 127.0f * static_cast<float>(kInputs);
  for (std::size_t o = 0; o < 3; ++o) EXPECT_EQ(out[o], sum * scale + bias[o]);
  map.apply(*GetParam(), rows.data(), kInputs, 1, out.data(), map.stride(), After::kAdd, scratch);
  EXPECT_EQ(out[1], (sum * scale + 1.0f) + (sum * scale + 1.0f));
  for (float& x : rows) x = 3.0f;
  map.apply(*GetParam(), rows.data(), kInputs, 1, out.data(), map.stride(), After::kRelu, scratch);
  EXPECT_EQ(out[0], 0.0f);
}

TEST_P(KernelsTest, NormsARowOfEqualNumbersToItsBias) {
  AlignedVector<float> row(48, 2.0f), weight(48, 3.0f), bias(48, 0.25f);
  GetParam()->layer_norm(row.data(), 48, 1, 48, weight.data(), bias.data(), 1e-5f, row.data(), 48);
  for (const float x : row) EXPECT_EQ(x, 0.25f);
}

TEST_P(KernelsTest, NormsWithTheEpsilonGiven) {
  AlignedVector<float> row(16, 0.0f), one(16, 1.0f), zero(16, 0.0f), out(16);
  row[0] = 4.0f;
  row[1] = -4.0f;  // mean 0, variance 2
  GetParam()->layer_norm(row.data(), 16, 1, 16, one.data(), zero.data(), 2.0f, out.data(), 16);
  EXPECT_EQ(out[0], 2.0f);
  EXPECT_EQ(out[1], -2.0f);
  EXPECT_EQ(out[2], 0.0f);
}

TEST_P(KernelsTest, SoftmaxOfEqualsAndExtremes) {
  AlignedVector<float> row(32, 1000.0f);
  GetParam()->softmax(row.data(), 20);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(row[i], i < 20 ? 1.0f / 20.0f : 0.0f);
  AlignedVector<float> two(16, 0.0f);
  two[1] = -200.0f;
  GetParam()->softmax(two.data(), 2);
  EXPECT_EQ(two[0], 1.0f);
  EXPECT_EQ(two[1], 0.0f);
}

TEST_P(KernelsTest, ExponentialIsGoodToTwoUnitsInTheLastPlace) {
  double worst = 0;
  for (int step = 0; step < 87'000; ++step) {
    const float x = -static_cast<float>(step) / 1000.0f;
    AlignedVector<float> row(16, -1000.0f);
    row[0] = 0.0f;  // the sum stays 1 but for the second number
    row[1] = x;
    if (x > -20.0f) continue;  // there the sum is not 1
    GetParam()->softmax(row.data(), 16);
    const double expected = std::exp(static_cast<double>(x));
    worst = std::max(worst, std::fabs(row[1] - expected) / expected);
  }
  EXPECT_LT(worst, 2 * static_cast<double>(std::numeric_limits<float>::epsilon()));
}

TEST_P(KernelsTest, TransposesAndRepeatsTheLastRow) {
  AlignedVector<float> rows(3 * 16), out(16 * 16);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
  GetParam()->transpose(rows.data(), 16, 3, 8, out.data());
  for (std::size_t c = 0; c < 8; ++c) {
    for (std::size_t r = 0; r < 16; ++r) {
      EXPECT_EQ(out[c * 16 + r], static_cast<float>(std::min<std::size_t>(r, 2) * 16 + c));
    }
  }
}

TEST_P(KernelsTest, AnLstmStepWithoutGatesHalvesItsMemory) {
  AlignedVector<float> gates(4 * 16, 0.0f), memory(16, 0.0f), out(16, 9.0f);
  memory[1] = -1.0f;
  GetParam()->lstm_step(gates.data(), gates.data(), 16, memory.data(), out.data());
  EXPECT_EQ(memory[0], 0.0f);
  EXPECT_EQ(out[0], 0.0f);
  EXPECT_NEAR(memory[1], -0.5f, 1e-6f);
  EXPECT_NEAR(out[1], 0.5 * std::tanh(-0.5), 1e-6);
}

TEST_P(KernelsTest, AnLstmStepTakesGatesOfAnySize) {
  const float large[] = {30.0f, 1e4f, 3e38f};
  for (const float gate : large) {
    AlignedVector<float> a(4 * 16), b(4 * 16, 0.0f), memory(16), out(16);
    // Cells: forgets all and learns 1; keeps its memory and learns nothing; learns -1; says nothing.
    const float signs[4][4] = {{1, -1, 1, 1}, {-1, 1, 1, 1}, {1, -1, -1, 1}, {1, -1, 1, -1}};
    for (std::size_t cell = 0; cell < 4; ++cell) {
      for (std::size_t kind = 0; kind < 4; ++kind) a[16 * kind + cell] = gate * signs[cell][kind];
      memory[cell] = 0.75f;
    }
    GetParam()->lstm_step(a.data(), b.data(), 16, memory.data(), out.data());
    const double memories[] = {1, 0.75, -1, 1};
    for (std::size_t cell = 0; cell < 4; ++cell) {
      EXPECT_NEAR(memory[cell], memories[cell], 1e-6) << gate;
      EXPECT_NEAR(out[cell], cell == 3 ? 0.0 : std::tanh(memories[cell]), 1e-6) << gate;
    }
  }
}

TEST_P(KernelsTest, AGruStepTakesGatesOfAnySize) {
  const float large[] = {30.0f, 1e4f, 3e38f};
  for (const float gate : large) {
    AlignedVector<float> gates(2 * 16), none(2 * 16, 0.0f), state(16, 0.75f), kept(16), update(16);
    for (const std::size_t cell : {0, 1}) gates[cell] = cell == 0 ? gate : -gate;       // reset
    for (const std::size_t cell : {0, 1}) gates[16 + cell] = cell == 0 ? gate : -gate;  // update
    GetParam()->gru_reset(gates.data(), none.data(), state.data(), 16, kept.data(), update.data());
    EXPECT_NEAR(kept[0], 0.75, 1e-6) << gate;
    EXPECT_NEAR(kept[1], 0.0, 1e-6) << gate;
    EXPECT_NEAR(kept[2], 0.375, 1e-6) << gate;
    AlignedVector<float> candidate(16, -gate);
    GetParam()->gru_update(candidate.data(), none.data(), update.data(), state.data(), 16, state.data());
    EXPECT_NEAR(state[0], 0.75, 1e-6) << gate;
    EXPECT_NEAR(state[1], -1.0, 1e-6) << gate;
    EXPECT_NEAR(state[2], -0.125, 1e-6) << gate;
  }
}

TEST_P(KernelsTest, ALogitThatIsNeverTakenCountsNothing) {
  AlignedVector<float> logits(32, 0.0f), bias(32, -3e38f);
  bias[0] = bias[1] = bias[2] = 0.0f;
  logits[1] = std::log(2.0f);
  const LogitSummary summary = GetParam()->summarise_logits(logits.data(), bias.data(), 32, 2);
  EXPECT_EQ(summary.highest, std::log(2.0f));
  EXPECT_EQ(summary.target, 0.0f);
  EXPECT_EQ(summary.greater, 1u);  // the equal one does not count
  EXPECT_NEAR(summary.exponentials, 2.0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, KernelsTest, ::testing::ValuesIn(all_kernels()),
                         [](const auto& one) { return std::string(name(one.param->level)); });

}  // namespace
}  // namespace capella::tensor
