#include "base/ascii.h"

#include <gtest/gtest.h>

namespace capella {
namespace {

TEST(LoweredAscii, OtherBytesStay) {
  EXPECT_EQ(lowered_ascii("aZ[@`{09"), "az[@`{09");
  EXPECT_EQ(lowered_ascii("CAF\u00C9S\xFF"), "caf\u00C9s\xFF");
  EXPECT_EQ(lowered_ascii(""), "");
}

}  // namespace
}  // namespace capella
