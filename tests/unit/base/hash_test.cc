#include "base/hash.h"

#include <gtest/gtest.h>

namespace capella {
namespace {

// Published test values of XXH3 (seed 0, no input); files of document frequencies rely on the function.
TEST(Hash, IsXxh3) {
  EXPECT_EQ(hash_bytes(""), 0x2D06800538D394C2u);
}

TEST(Hash, TheOrderOfCombinedValuesMatters) {
  EXPECT_NE(hash_combine(hash_combine(0, 1), 2), hash_combine(hash_combine(0, 2), 1));
  EXPECT_NE(hash_combine(0, 0), 0u);
}

}  // namespace
}  // namespace capella
