// The number of threads changes no bit: networks here are large enough that products are shared, and there
// are captions and images for several batches.
#include <gtest/gtest.h>

#include "small_generator.h"

namespace capella::test {
namespace {

class ThreadsTest : public ::testing::TestWithParam<Architecture> {};

// 6 x vocabulary x size^2 operations make what words add to the gates: above the 5e7 from which products are
// shared.
Recipe large_recipe(Architecture architecture) {
  return small_recipe(architecture, 700, 300);
}

TEST_P(ThreadsTest, ProbabilitiesAreTheSameBits) {
  for (const std::size_t images : {3, 150}) {
    const CaptionData data = random_captions(images, 5, 700, 6);
    const auto one = random_generator(large_recipe(GetParam()), 1, .1f, 1)->probabilities(data, {});
    const auto two = random_generator(large_recipe(GetParam()), 1, .1f, 2)->probabilities(data, {});
    EXPECT_TRUE(one.probabilities == two.probabilities) << images;
    EXPECT_TRUE(one.ranks == two.ranks) << images;
  }
}

TEST_P(ThreadsTest, CaptionsAreTheSameBits) {
  for (const std::size_t images : {3, 70}) {
    const CaptionData data = random_captions(images, 5, 700, 6);
    method::pregen::BeamOptions options;
    options.most_words = 12;
    const auto one = random_generator(large_recipe(GetParam()), 1, .1f, 1)->generate(data, options, {});
    const auto two = random_generator(large_recipe(GetParam()), 1, .1f, 2)->generate(data, options, {});
    for (std::size_t i = 0; i < images; ++i) {
      EXPECT_EQ(one[i].ids, two[i].ids);
      EXPECT_EQ(one[i].log2_probability, two[i].log2_probability);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ThreadsTest, ::testing::ValuesIn(kArchitectures), name_of);

}  // namespace
}  // namespace capella::test
