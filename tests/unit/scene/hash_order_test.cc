#include "scene/hash_order.h"

#include <vector>

#include <gtest/gtest.h>

namespace capella::scene {
namespace {

std::vector<std::uint32_t> values(const HashOrder& order) {
  std::vector<std::uint32_t> all;
  for (const HashOrder::Entry& entry : order) all.push_back(entry.value);
  return all;
}

using Values = std::vector<std::uint32_t>;

TEST(HashOrder, BucketsComeFirstThenTheOrderOfComing) {
  HashOrder order;
  for (const std::uint32_t number : {18u, 3u, 2u, 34u}) order.add({number, number, number});
  EXPECT_EQ(values(order), (Values{18, 2, 34, 3}));
}

TEST(HashOrder, ThirteenKeysNeedALargerTable) {
  HashOrder order;
  for (std::uint32_t number = 12; number > 0; --number) order.add({number + 8, number + 8, number + 8});
  EXPECT_EQ(values(order), (Values{16, 17, 18, 19, 20, 9, 10, 11, 12, 13, 14, 15}));
  order.add({33, 33, 33});
  EXPECT_EQ(values(order), (Values{33, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}));
}

TEST(HashOrder, ALongBucketNeedsALargerTable) {
  HashOrder order;
  for (std::uint32_t i = 0; i < 9; ++i) order.add({5 + 16 * i, i, i});
  EXPECT_EQ(values(order), (Values{0, 2, 4, 6, 8, 1, 3, 5, 7}));
}

TEST(HashOrder, AKeyKeepsItsPlaceAndItsValuesStayTogether) {
  HashOrder order;
  order.add({1, 1, 100});
  order.add({17, 17, 200});
  order.add({1, 1, 101});
  EXPECT_EQ(values(order), (Values{100, 101, 200}));
  order.remove(100);
  EXPECT_EQ(values(order), (Values{101, 200}));
  order.remove(101);
  order.add({1, 1, 102});
  EXPECT_EQ(values(order), (Values{200, 102}));
}

TEST(HashOrder, FindsTheFirstValueOfAKey) {
  HashOrder order;
  EXPECT_EQ(order.find(1, 1), nullptr);
  order.add({17, 17, 200});
  order.add({1, 1, 100});
  order.add({1, 1, 101});
  ASSERT_NE(order.find(1, 1), nullptr);
  EXPECT_EQ(order.find(1, 1)->value, 100u);
  EXPECT_EQ(order.find(33, 33), nullptr);
  EXPECT_EQ(order.bucket_of(33).size(), 3u);
  EXPECT_TRUE(order.bucket_of(2).empty());
}

TEST(HashOrder, ASmallTableGrowsAsJavasDoes) {
  HashOrder order(1);
  for (const std::uint32_t number : {6u, 9u, 4u}) order.add({number, number, number});
  EXPECT_EQ(values(order), (Values{4, 9, 6}));
  order.clear();
  EXPECT_TRUE(order.empty());
}

}  // namespace
}  // namespace capella::scene
