// What the plug-in does on a GPU alone, done on the CPU: sequences that attention takes together, and the
// numbers of dropout by torch's operations.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "torch/attention.h"
#include "torch/draw.h"
#include "torch/dropout.h"

namespace capella::plugin {
namespace {

constexpr std::int64_t kHeads = 2, kHeadWidth = 3, kWidth = kHeads * kHeadWidth;

struct Case {
  std::int64_t count, queries, keys;
  bool causal;
};

struct Rows {
  torch::Tensor tensor;
  const float* values;

  explicit Rows(std::int64_t rows) : tensor(torch::randn({rows, kWidth})), values(tensor.data_ptr<float>()) {}
  double at(std::int64_t row, std::int64_t column) const { return values[row * kWidth + column]; }
};

// What one query of one sequence reads in one head, by the definition.
std::vector<double> read_by_hand(const Case& of, const Rows& q, const Rows& k, const Rows& v,
                                 std::int64_t sequence, std::int64_t query, std::int64_t head) {
  const std::int64_t first = head * kHeadWidth, seen = of.causal ? query + 1 : of.keys;
  std::vector<double> found(kHeadWidth);
  double total = 0;
  for (std::int64_t j = sequence * of.keys; j < sequence * of.keys + seen; ++j) {
    double dot = 0;
    for (std::int64_t i = first; i < first + kHeadWidth; ++i)
      dot += q.at(sequence * of.queries + query, i) * k.at(j, i);
    const double share = std::exp(dot / std::sqrt(static_cast<double>(kHeadWidth)));
    total += share;
    for (std::int64_t i = 0; i < kHeadWidth; ++i)
      found[static_cast<std::size_t>(i)] += share * v.at(j, first + i);
  }
  for (double& value : found) value /= total;
  return found;
}

void expect_by_hand(const Case& of, std::int64_t together) {
  const Rows q(of.count * of.queries), k(of.count * of.keys), v(of.count * of.keys);
  const Fold fold = folded(together, of.queries, of.keys, of.causal, q.tensor.options());
  const torch::Tensor read =
      attend_rows(q.tensor, k.tensor, v.tensor, of.count, kHeads, fold, of.causal).contiguous();
  ASSERT_EQ(read.sizes(), q.tensor.sizes());
  const auto* found = read.data_ptr<float>();
  for (std::int64_t row = 0; row < of.count * of.queries; ++row) {
    for (std::int64_t head = 0; head < kHeads; ++head) {
      const auto expected = read_by_hand(of, q, k, v, row / of.queries, row % of.queries, head);
      for (std::int64_t i = 0; i < kHeadWidth; ++i)
        EXPECT_NEAR(found[row * kWidth + head * kHeadWidth + i], expected[static_cast<std::size_t>(i)], 1e-5);
    }
  }
}

TEST(FoldedAttention, SeesNoOtherSequence) {
  torch::manual_seed(1);
  const torch::NoGradGuard no_gradients;
  for (const std::int64_t together : {1, 2, 4, 8}) {
    for (const std::int64_t count : {1, 4, 8, 11}) {  // also fewer than are taken together, and a rest
      for (const std::int64_t length : {1, 3, 7}) {
        expect_by_hand({count, length, length, false}, together);
        expect_by_hand({count, length, length, true}, together);
        expect_by_hand({count, 1, length, false}, together);
      }
    }
  }
}

// Kernels of GPUs read masks whose rows begin at multiples of eight numbers as they are.
TEST(FoldedAttention, HasMasksWithAlignedRows) {
  const torch::Tensor mask = folded(4, 7, 7, false, torch::kFloat32).mask;
  EXPECT_EQ(mask.sizes(), (std::vector<std::int64_t>{28, 28}));
  EXPECT_EQ(mask.stride(0), 32);
  EXPECT_FALSE(fold_of(64, 7, 7, false, torch::TensorOptions(torch::kCPU)).mask.defined());
}

TEST(DropoutNumbers, AreTheSameByTorch) {
  for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    for (const std::int64_t begin : {std::int64_t{0}, std::int64_t{5}, std::int64_t{1} << 40}) {
      const torch::Tensor found = drawn_by_torch(key, begin, 1000, torch::kCPU);
      const auto* values = found.data_ptr<std::int64_t>();
      for (std::int64_t i = 0; i < 1000; ++i) {
        const std::uint64_t expected = mixed(key, static_cast<std::uint64_t>(begin + i)) >> 32;
        ASSERT_EQ(values[i], static_cast<std::int64_t>(expected)) << key << " " << begin + i;
      }
    }
  }
}

}  // namespace
}  // namespace capella::plugin
