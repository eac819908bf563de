// Products of float rows and packed weights: every version against a slow twin, and against each other bit
// for bit, whatever the number of rows.
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "reference/transformer_reference.h"
#include "support/expected_after.h"
#include "tensor/aligned.h"
#include "tensor/float_linear.h"
#include "tensor/kernels.h"

namespace capella::test {
namespace {

using tensor::After;
using tensor::AlignedVector;
using tensor::Kernels;

constexpr After kAll[] = {After::kStore, After::kAdd,       After::kRelu,
                          After::kGelu,  After::kQuickGelu, After::kTanh};
constexpr float kFloatLinearThere = 0.75f;  // what is in the result before

struct Sizes {
  std::size_t count, inputs, outputs;
};

// Small sizes of every kind, and some that are cut into blocks.
rc::Gen<Sizes> sizes() {
  const auto small =
      rc::gen::map(rc::gen::tuple(rc::gen::inRange<std::size_t>(1, 30), rc::gen::inRange<std::size_t>(1, 70),
                                  rc::gen::inRange<std::size_t>(1, 80)),
                   [](const auto& all) {
                     return Sizes{std::get<0>(all), std::get<1>(all), std::get<2>(all)};
                   });
  const auto large = rc::gen::element(Sizes{97, 20, 33}, Sizes{5, 515, 40}, Sizes{3, 9, 530},
                                      Sizes{110, 24, 540}, Sizes{1, 1030, 16});
  return rc::gen::weightedOneOf<Sizes>({{6, small}, {1, large}});
}

struct FloatLinearProblem {
  Sizes size;
  bool bias;
  reference::LinearMap map;
  reference::Matrix rows;
};

FloatLinearProblem float_linear_problem() {
  FloatLinearProblem result{*sizes(), *rc::gen::arbitrary<bool>(), {}, {}};
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto number = [&] {
    const double x = static_cast<double>(random() % 2'000'001) / 1e6 - 1.0;
    return static_cast<double>(static_cast<float>(random() % 50 == 0 ? x * 8 : x));
  };
  for (std::size_t o = 0; o < result.size.outputs; ++o) {
    result.map.weight.emplace_back();
    for (std::size_t i = 0; i < result.size.inputs; ++i) result.map.weight.back().push_back(number());
    if (result.bias) result.map.bias.push_back(number());
  }
  for (std::size_t r = 0; r < result.size.count; ++r) {
    result.rows.emplace_back();
    for (std::size_t i = 0; i < result.size.inputs; ++i) result.rows.back().push_back(number());
  }
  return result;
}

tensor::FloatLinear packed(const FloatLinearProblem& float_linear_problem) {
  std::vector<float> weight, bias;
  for (const auto& row : float_linear_problem.map.weight) {
    for (const double x : row) weight.push_back(static_cast<float>(x));
  }
  for (const double x : float_linear_problem.map.bias) bias.push_back(static_cast<float>(x));
  return {weight, bias, float_linear_problem.size.outputs, float_linear_problem.size.inputs};
}

// The numbers beyond a row's end are never used.
AlignedVector<float> flat(const FloatLinearProblem& float_linear_problem, std::size_t stride) {
  AlignedVector<float> result(float_linear_problem.size.count * stride, NAN);
  for (std::size_t r = 0; r < float_linear_problem.size.count; ++r) {
    for (std::size_t i = 0; i < float_linear_problem.size.inputs; ++i)
      result[r * stride + i] = static_cast<float>(float_linear_problem.rows[r][i]);
  }
  return result;
}

bool float_linear_same_bits(const float* a, const float* b, std::size_t size) {
  return std::equal(a, a + size, b, [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

// The sum of the products' sizes: what rounding is to be measured by.
double size_of_sum(const FloatLinearProblem& float_linear_problem, std::size_t row, std::size_t output) {
  double total = 1;
  for (std::size_t i = 0; i < float_linear_problem.size.inputs; ++i)
    total += std::fabs(float_linear_problem.rows[row][i] * float_linear_problem.map.weight[output][i]);
  return total;
}

TEST(FloatLinear, IsTheProductOfItsDefinition) {
  EXPECT_TRUE(rc::check("float linear", [] {
    const FloatLinearProblem float_linear_problem = capella::test::float_linear_problem();
    const After after = *rc::gen::elementOf(std::vector<After>(std::begin(kAll), std::end(kAll)));
    const tensor::FloatLinear map = packed(float_linear_problem);
    RC_ASSERT(map.stride() == tensor::round_up(float_linear_problem.size.outputs, tensor::kLanes));
    const std::size_t stride = tensor::round_up(float_linear_problem.size.inputs, tensor::kLanes);
    const std::size_t count = float_linear_problem.size.count, out_stride = map.stride() + 16;
    const AlignedVector<float> rows = flat(float_linear_problem, stride);
    AlignedVector<float> first;
    for (const Kernels* kernels : tensor::all_kernels()) {
      AlignedVector<float> out(count * out_stride, kFloatLinearThere);
      map.apply(*kernels, rows.data(), stride, count, out.data(), out_stride, after);
      if (first.empty()) first = out;
      RC_ASSERT(float_linear_same_bits(first.data(), out.data(), out.size()));
    }
    for (std::size_t r = 0; r < count; ++r) {
      const reference::Numbers sums = float_linear_problem.map(float_linear_problem.rows[r]);
      const float* row = first.data() + r * out_stride;
      for (std::size_t o = 0; o < sums.size(); ++o)
        RC_ASSERT(std::fabs(static_cast<double>(row[o]) -
                            expected_after(after, sums[o], static_cast<double>(kFloatLinearThere))) <=
                  2e-6 * size_of_sum(float_linear_problem, r, o));
      for (std::size_t o = sums.size(); o < map.stride(); ++o)
        RC_ASSERT(row[o] == (after == After::kAdd ? kFloatLinearThere : 0.0f));
      for (std::size_t o = map.stride(); o < out_stride; ++o) RC_ASSERT(row[o] == kFloatLinearThere);
    }
  }));
}

TEST(FloatLinear, ARowDoesNotDependOnTheOthers) {
  EXPECT_TRUE(rc::check("one row alone", [] {
    const FloatLinearProblem float_linear_problem = capella::test::float_linear_problem();
    const tensor::FloatLinear map = packed(float_linear_problem);
    const std::size_t stride = tensor::round_up(float_linear_problem.size.inputs, tensor::kLanes);
    const AlignedVector<float> rows = flat(float_linear_problem, stride);
    AlignedVector<float> all(float_linear_problem.size.count * map.stride()), one(map.stride());
    map.apply(tensor::kernels(), rows.data(), stride, float_linear_problem.size.count, all.data(),
              map.stride(), After::kGelu);
    const std::size_t row = *rc::gen::inRange<std::size_t>(0, float_linear_problem.size.count);
    map.apply(tensor::kernels(), rows.data() + row * stride, stride, 1, one.data(), map.stride(),
              After::kGelu);
    RC_ASSERT(float_linear_same_bits(one.data(), all.data() + row * map.stride(), map.stride()));
  }));
}

}  // namespace
}  // namespace capella::test
