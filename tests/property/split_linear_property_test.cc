// Linear maps with weights of 8 bits, whose rows keep two numbers as floats: against a slow twin, the same
// bits in every version, and a row's result whatever rows are beside it.
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "reference/transformer_reference.h"
#include "support/expected_after.h"
#include "tensor/aligned.h"
#include "tensor/kernels.h"
#include "tensor/split_linear.h"

namespace capella::test {
namespace {

using tensor::After;
using tensor::AlignedVector;
using tensor::Kernels;

constexpr float kThere = 0.75f;  // what is in the result before

struct Problem {
  std::size_t count, inputs, outputs;
  std::vector<float> weight, bias;
  AlignedVector<float> rows;  // [count][stride]
  std::size_t stride;
  reference::LinearMap twin;

  tensor::SplitLinear map() const { return {weight, bias, outputs, inputs}; }
  // The sum of the products' sizes: what rounding is to be measured by.
  double size_of_sum(std::size_t r, std::size_t output) const {
    double total = 1 + std::fabs(static_cast<double>(bias[output]));
    for (std::size_t i = 0; i < inputs; ++i)
      total += std::fabs(static_cast<double>(rows[r * stride + i] * weight[output * inputs + i]));
    return total;
  }
  reference::Numbers row(std::size_t r) const {
    return {rows.data() + r * stride, rows.data() + r * stride + inputs};
  }
};

// Mostly small numbers, some much larger.
std::vector<float> numbers(std::size_t count, std::mt19937_64& random) {
  std::vector<float> result(count);
  for (float& x : result) {
    x = static_cast<float>(random() % 2'000'001) / 1e6f - 1.0f;
    if (random() % 50 == 0) x *= 20.0f;
  }
  return result;
}

Problem problem() {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  Problem made;
  made.count = *rc::gen::inRange<std::size_t>(1, 40);
  made.inputs = *rc::gen::inRange<std::size_t>(1, 150);
  made.outputs = *rc::gen::inRange<std::size_t>(1, 100);
  made.weight = numbers(made.outputs * made.inputs, random);
  made.bias = numbers(made.outputs, random);
  made.stride = tensor::round_up(made.inputs, tensor::kLanes);
  made.rows.resize(made.count * made.stride);
  reference::LinearMap exact;
  for (std::size_t o = 0; o < made.outputs; ++o)
    exact.weight.emplace_back(made.weight.data() + o * made.inputs,
                              made.weight.data() + (o + 1) * made.inputs);
  exact.bias.assign(made.bias.begin(), made.bias.end());
  made.twin = reference::eight_bit(exact);
  for (std::size_t r = 0; r < made.count; ++r) {
    const std::vector<float> row = numbers(made.inputs, random);
    std::copy(row.begin(), row.end(), made.rows.begin() + static_cast<std::ptrdiff_t>(r * made.stride));
  }
  return made;
}

AlignedVector<float> mapped(const tensor::SplitLinear& map, const Kernels& kernels, const float* rows,
                            std::size_t stride, std::size_t count, After after) {
  AlignedVector<float> out(count * map.stride(), kThere);
  tensor::SplitRows split;
  map.split(kernels, rows, stride, count, split);
  map.apply(kernels, split, out.data(), map.stride(), after);
  return out;
}

bool same_bits(const float* a, const float* b, std::size_t size) {
  return std::equal(a, a + size, b, [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

// Inputs are known exactly: only of equally great ones it is open which are taken.
TEST(SplitLinear, IsTheProductOfItsDefinition) {
  EXPECT_TRUE(rc::check("split linear", [] {
    const Problem given = problem();
    const After after = *rc::gen::element(After::kStore, After::kAdd, After::kRelu, After::kGelu,
                                          After::kQuickGelu, After::kTanh);
    const tensor::SplitLinear map = given.map();
    RC_ASSERT(map.stride() == tensor::round_up(given.outputs, tensor::kBlock));
    AlignedVector<float> first;
    for (const Kernels* kernels : tensor::all_kernels()) {
      const AlignedVector<float> out =
          mapped(map, *kernels, given.rows.data(), given.stride, given.count, after);
      if (first.empty()) first = out;
      RC_ASSERT(same_bits(first.data(), out.data(), out.size()));
    }
    for (std::size_t r = 0; r < given.count; ++r) {
      const reference::Numbers sums = given.twin(given.row(r));
      RC_PRE(*given.twin.nearest_tie > 1e-9);
      const float* row = first.data() + r * map.stride();
      for (std::size_t o = 0; o < given.outputs; ++o)
        RC_ASSERT(std::fabs(static_cast<double>(row[o]) -
                            expected_after(after, sums[o], static_cast<double>(kThere))) <=
                  2e-6 * given.size_of_sum(r, o));
      for (std::size_t o = given.outputs; o < map.stride(); ++o)
        RC_ASSERT(row[o] == (after == After::kAdd ? kThere : 0.0f));
    }
  }));
}

TEST(SplitLinear, ARowDoesNotDependOnTheOthers) {
  EXPECT_TRUE(rc::check("one row alone", [] {
    const Problem given = problem();
    const tensor::SplitLinear map = given.map();
    const AlignedVector<float> all =
        mapped(map, tensor::kernels(), given.rows.data(), given.stride, given.count, After::kGelu);
    const std::size_t row = *rc::gen::inRange<std::size_t>(0, given.count);
    const AlignedVector<float> one =
        mapped(map, tensor::kernels(), given.rows.data() + row * given.stride, given.stride, 1, After::kGelu);
    RC_ASSERT(same_bits(one.data(), all.data() + row * map.stride(), map.stride()));
  }));
}

}  // namespace
}  // namespace capella::test
