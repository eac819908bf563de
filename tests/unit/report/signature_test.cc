#include <gtest/gtest.h>

#include "capella/result.h"

namespace capella {
namespace {

TEST(ShortSignature, AbbreviatesKeysAndKeepsValues) {
  EXPECT_EQ(short_signature("CIDEr-D|n:4|sigma:6|df:refs(5000)|tok:ptb|capella:0.1.0"),
            "CIDEr-D|n:4|sg:6|df:refs(5000)|t:ptb|v:0.1.0");
}

TEST(ShortSignature, LeavesWhatIsNoKey) {
  EXPECT_EQ(short_signature("quarter|given|capella:0.1.0"), "quarter|given|v:0.1.0");
  EXPECT_EQ(short_signature(""), "");
}

}  // namespace
}  // namespace capella
