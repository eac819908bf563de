#include "text/string_column.h"

#include <gtest/gtest.h>

namespace capella::text {
namespace {

TEST(StringColumn, HoldsStringsIncludingEmptyOnes) {
  StringColumn column;
  column.push_back("a");
  column.push_back("");
  column.bytes() += "built ";
  column.bytes() += "in place";
  column.finish_string();
  ASSERT_EQ(column.size(), 3u);
  EXPECT_EQ(column[0], "a");
  EXPECT_EQ(column[1], "");
  EXPECT_EQ(column[2], "built in place");
}

TEST(StringColumn, AppendsAnother) {
  StringColumn first, second;
  first.push_back("one");
  second.push_back("two");
  second.push_back("three");
  first.append(second);
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[1], "two");
  EXPECT_EQ(first[2], "three");
}

}  // namespace
}  // namespace capella::text
