// Means over sequences do not see what fills them up.
#include <vector>

#include <gtest/gtest.h>

#include "torch/encoder/batches.h"

namespace capella::plugin::encoder {
namespace {

TEST(SequenceMeans, AreThoseOfTheSequencesOwnTokens) {
  TokenBatch batch;
  for (const std::vector<std::int32_t>& ids :
       {std::vector<std::int32_t>{1, 2, 6}, {5}, {4, 8}, {7, 9, 2, 2, 10}, {3, 4}})
    batch.add(ids);
  const std::vector<float> expected = {3, 5, 6, 6, 3.5f};
  for (const bool padded : {false, true}) {
    PartOptions options;
    options.layout.padded = padded;
    options.tokens_together = 6;  // three parts
    std::vector<float> found(expected.size());
    int parts = 0;
    for_parts(batch, {}, options, [&](const Part& part) {
      const torch::Tensor rows = part.ids.to(torch::kFloat32).unsqueeze(1);
      const torch::Tensor means = sequence_means(part, torch::cat({rows, -2 * rows}, 1));
      ASSERT_EQ(means.size(0), static_cast<std::int64_t>(part.sequences.size()));
      for (std::size_t i = 0; i < part.sequences.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        found[static_cast<std::size_t>(part.sequences[i])] = means[row][0].item<float>();
        EXPECT_FLOAT_EQ(means[row][1].item<float>(), -2 * means[row][0].item<float>());
      }
      ++parts;
    });
    EXPECT_EQ(found, expected) << padded;
    EXPECT_GT(parts, 1);
  }
}

}  // namespace
}  // namespace capella::plugin::encoder
