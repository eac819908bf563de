#include "base/pairwise_sum.h"

#include <vector>

#include <gtest/gtest.h>

namespace capella {
namespace {

// Above 2^53 only every second whole number is a double, so a 1 added to kBig alone is lost, two ones
// together are not.
constexpr double kBig = 1e16;

double sum(const std::vector<double>& values) {
  return pairwise_sum(values.data(), values.size());
}

std::vector<double> big_then_ones(std::size_t ones) {
  std::vector<double> values(ones + 1, 1.0);
  values[0] = kBig;
  return values;
}

TEST(PairwiseSum, NothingIsZero) {
  EXPECT_EQ(pairwise_sum<double>(nullptr, 0), 0.0);
}

TEST(PairwiseSum, FewerThanEightAreAddedLeftToRight) {
  EXPECT_EQ(sum(big_then_ones(6)), kBig);
}

TEST(PairwiseSum, EightAreAddedInPairs) {
  EXPECT_EQ(sum(big_then_ones(7)), kBig + 6.0);  // ((big + 1) + (1 + 1)) + ((1 + 1) + (1 + 1))
}

TEST(PairwiseSum, TheRestAfterEightsIsAddedOneByOne) {
  // big + 6 and 1 lie between two doubles, and the even one is big + 8; there further ones are lost.
  EXPECT_EQ(sum(big_then_ones(7 + 4)), kBig + 8.0);
}

TEST(PairwiseSum, MoreThan128AreHalvedAtAMultipleOfEight) {
  // 64 and 66 values. In the first half lane 0 is big + 7 ones lost one by one, the other 56 ones survive.
  EXPECT_EQ(sum(big_then_ones(129)), kBig + 56.0 + 66.0);
}

TEST(PairwiseSum, TakesAColumnOfATable) {
  const std::vector<double> table = {1, 10, 2, 20, 3, 30};
  EXPECT_EQ(pairwise_sum(table.data(), 3, 2), 6.0);
  EXPECT_EQ(pairwise_sum(table.data() + 1, 3, 2), 60.0);
}

}  // namespace
}  // namespace capella
