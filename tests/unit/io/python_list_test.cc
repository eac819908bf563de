#include "io/python_list.h"

#include <gtest/gtest.h>

namespace capella::io {
namespace {

using Texts = std::vector<std::string>;

Texts parsed(std::string_view literal) {
  Texts strings;
  EXPECT_TRUE(parse_python_list(literal, strings)) << literal;
  return strings;
}

TEST(PythonList, Strings) {
  EXPECT_EQ(parsed("[]"), Texts{});
  EXPECT_EQ(parsed("['a', \"it's\", 'say \"b\"']"), (Texts{"a", "it's", "say \"b\""}));
  EXPECT_EQ(parsed(" [ 'a' ,\n'b', ] "), (Texts{"a", "b"}));
  EXPECT_EQ(parsed("['caf\xC3\xA9']"), Texts{"caf\xC3\xA9"});
}

// As Python's repr() and ast.literal_eval() have them.
TEST(PythonList, Escapes) {
  EXPECT_EQ(parsed(R"(['it\'s', '\\', 'a\nb\tc', '\xe9', '\u2019', '\U0001f600', '\101\0', '\d'])"),
            (Texts{"it's", "\\", "a\nb\tc", "\xC3\xA9", "\xE2\x80\x99", "\xF0\x9F\x98\x80",
                   std::string("A\0", 2), "\\d"}));
}

TEST(PythonList, NoListOfStrings) {
  Texts strings;
  for (const char* text :
       {"", "[", "['a'", "['a]", "['a' 'b']", "['a',,'b']", "[1]", "'a'", "['a']x", "[a]", "['\\", "['\\x1']",
        "['\\u12']", "['\\ud800']", "['\\U00110000']", "['\\N{DASH}']"}) {
    EXPECT_FALSE(parse_python_list(text, strings)) << text;
  }
}

}  // namespace
}  // namespace capella::io
