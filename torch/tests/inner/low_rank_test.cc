// Gradients of low-rank updates, which go past the matrix, against those that go through it.
#include "torch/low_rank.h"

#include <gtest/gtest.h>

namespace capella::plugin {
namespace {

using torch::Tensor;

constexpr std::int64_t kRows = 7, kInputs = 5, kOutputs = 6, kRank = 2;
constexpr double kScale = .7;

// What is learnt from, and how steeply what comes out counts.
struct Given {
  Tensor rows = drawn({kRows, kInputs}), base = drawn({kOutputs, kInputs}), bias = drawn({kOutputs}),
         first = drawn({kRank, kInputs}), second = drawn({kOutputs, kRank}),
         slopes = drawn({kRows, kOutputs});

  static Tensor drawn(std::vector<std::int64_t> shape) {
    return torch::randn(shape, torch::kFloat64).to(torch::kFloat32);
  }
};

struct Gradients {
  Tensor result, rows, first, second;
};

template <class Product>
Gradients gradients_of(const Given& given, const Product& multiply) {
  const auto leaf = [](const Tensor& tensor) { return tensor.clone().requires_grad_(); };
  const Tensor rows = leaf(given.rows), first = leaf(given.first), second = leaf(given.second);
  const Tensor result = multiply(rows, first, second);
  (result.to(torch::kFloat32) * given.slopes.narrow(1, 0, result.size(1))).sum().backward();
  return {result.detach(), rows.grad(), first.grad(), second.grad()};
}

void expect_near(const Gradients& found, const Gradients& expected, double tolerance) {
  const auto near = [&](const Tensor& a, const Tensor& b) {
    ASSERT_TRUE(a.defined() && b.defined());
    ASSERT_EQ(a.sizes(), b.sizes());
    EXPECT_LE((a.to(torch::kFloat32) - b).abs().max().item<double>(), tolerance);
  };
  near(found.result, expected.result);
  near(found.rows, expected.rows);
  near(found.first, expected.first);
  near(found.second, expected.second);
}

TEST(LowRankProduct, HasTheGradientsOfTheSum) {
  torch::manual_seed(3);
  const Given given;
  const Tensor sum = given.base + kScale * torch::matmul(given.second, given.first);
  const Gradients expected =
      gradients_of(given, [&](const Tensor& rows, const Tensor& first, const Tensor& second) {
        return torch::linear(rows, given.base + kScale * torch::matmul(second, first), given.bias);
      });
  expect_near(gradients_of(given,
                           [&](const Tensor& rows, const Tensor& first, const Tensor& second) {
                             return product(rows, sum, given.bias, {first, second, kScale});
                           }),
              expected, 1e-5);
}

TEST(LowRankProduct, TakesSomeRowsOfTheMatrix) {
  torch::manual_seed(4);
  const Given given;
  const Tensor sum = given.base + kScale * torch::matmul(given.second, given.first);
  const Gradients expected =
      gradients_of(given, [&](const Tensor& rows, const Tensor& first, const Tensor& second) {
        const Tensor matrix = given.base + kScale * torch::matmul(second, first);
        return torch::linear(rows, matrix.narrow(0, 2, 3), given.bias.narrow(0, 2, 3));
      });
  expect_near(gradients_of(given,
                           [&](const Tensor& rows, const Tensor& first, const Tensor& second) {
                             return product(rows, sum.narrow(0, 2, 3), given.bias.narrow(0, 2, 3),
                                            LowRank{first, second, kScale}.rows(2, 3));
                           }),
              expected, 1e-5);
}

// Factors keep their 32 bits, and get gradients that have as many.
TEST(LowRankProduct, ComputesWithSixteenBits) {
  torch::manual_seed(5);
  const Given given;
  const Tensor sum = given.base + kScale * torch::matmul(given.second, given.first);
  const Gradients expected =
      gradients_of(given, [&](const Tensor& rows, const Tensor& first, const Tensor& second) {
        return product(rows, sum, given.bias, {first, second, kScale});
      });
  const Gradients found =
      gradients_of(given, [&](const Tensor& rows, const Tensor& first, const Tensor& second) {
        return product(rows.to(torch::kBFloat16), sum.to(torch::kBFloat16), given.bias.to(torch::kBFloat16),
                       {first, second, kScale});
      });
  EXPECT_EQ(found.result.scalar_type(), torch::kBFloat16);
  EXPECT_EQ(found.first.scalar_type(), torch::kFloat32);
  EXPECT_EQ(found.second.scalar_type(), torch::kFloat32);
  expect_near(found, expected, .2);
}

TEST(LowRankProduct, IsAPlainProductWithoutAnUpdate) {
  torch::manual_seed(6);
  const Given given;
  EXPECT_TRUE(torch::equal(product(given.rows, given.base, given.bias, {}),
                           torch::linear(given.rows, given.base, given.bias)));
  EXPECT_FALSE(LowRank{}.rows(1, 2).first.defined());
}

}  // namespace
}  // namespace capella::plugin
