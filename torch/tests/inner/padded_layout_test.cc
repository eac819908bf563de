// Sequences that are filled up to the longest give what packed ones give, and gradients too.
#include <vector>

#include <gtest/gtest.h>

#include "torch/encoder/batches.h"

namespace capella::plugin::encoder {
namespace {

constexpr std::int64_t kWidth = 8, kHeads = 2, kWords = 11;

Tower drawn_tower(bool causal) {
  Tower tower;
  tower.heads = kHeads;
  tower.causal = tower.norm_first = causal;
  const auto drawn = [](std::vector<std::int64_t> shape) { return torch::randn(shape) * .5; };
  for (int i = 0; i < 3; ++i) {
    tower.layers.push_back({drawn({3 * kWidth, kWidth}),
                            drawn({3 * kWidth}),
                            drawn({kWidth, kWidth}),
                            drawn({kWidth}),
                            drawn({kWidth}),
                            drawn({kWidth}),
                            drawn({4 * kWidth, kWidth}),
                            drawn({4 * kWidth}),
                            drawn({kWidth, 4 * kWidth}),
                            drawn({kWidth}),
                            drawn({kWidth}),
                            drawn({kWidth}),
                            {},
                            {},
                            {},
                            {}});
  }
  return tower;
}

struct Read {
  torch::Tensor rows;      // of each sequence, in the order of the batch
  torch::Tensor gradient;  // of the words' vectors
};

Read read(const Tower& tower, const TokenBatch& batch, const torch::Tensor& first, bool padded) {
  PartOptions options;
  options.tokens_together = 1000;
  options.layout.causal = tower.causal;
  options.layout.read = tower.causal ? ReadAt::kLast : ReadAt::kFirst;
  options.layout.padded = padded;
  const torch::Tensor words = first.clone().requires_grad_(), scales = torch::arange(1, kWidth + 1);
  Read found;
  for_parts(batch, {}, options, [&](const Part& part) {
    const torch::Tensor rows = words.index_select(0, part.ids) + .1 * part.positions.unsqueeze(1);
    const torch::Tensor last = run_and_read(tower, part.layout, rows, {});
    found.rows = torch::zeros_like(last).index_copy(0, torch::tensor(part.sequences), last);
  });
  (found.rows * scales).tanh().sum().backward();
  found.gradient = words.grad();
  return found;
}

TokenBatch sequences() {
  TokenBatch batch;
  for (const std::vector<std::int32_t>& ids :
       {std::vector<std::int32_t>{1, 2, 3, 4, 5}, {6}, {7, 8, 9, 10, 0, 1, 2, 3, 4}, {5, 6}, {3, 1}})
    batch.add(ids);
  return batch;
}

TEST(PaddedLayout, GivesWhatPackedSequencesGive) {
  torch::manual_seed(7);
  for (const bool causal : {false, true}) {
    const Tower tower = drawn_tower(causal);
    const torch::Tensor words = torch::randn({kWords, kWidth});
    const Read packed = read(tower, sequences(), words, false),
               padded = read(tower, sequences(), words, true);
    EXPECT_TRUE(torch::allclose(packed.rows, padded.rows, 1e-4, 1e-5)) << causal;
    EXPECT_TRUE(torch::allclose(packed.gradient, padded.gradient, 1e-4, 1e-5)) << causal;
  }
}

TEST(PaddedLayout, IsAsLongAsTheLongestOrALittleMore) {
  EXPECT_EQ(longest_of(std::vector<std::int64_t>{3, 8, 1}), 8);
  EXPECT_EQ(longest_of(std::vector<std::int64_t>{9}), 16);
  EXPECT_EQ(layout_of(std::vector<std::int64_t>{3, 9}, {.padded = true}).tokens, 32);
}

}  // namespace
}  // namespace capella::plugin::encoder
