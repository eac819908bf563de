#include "scene/fact_codec.h"

#include <gtest/gtest.h>

#include "support/known_facts.h"

namespace capella::scene {
namespace {

TEST(FactCodec, GivesFactsBack) {
  const std::string longest(70'000, 'x');
  const std::vector<Fact> facts = {
      test::object("man"),
      test::attribute("man", "tall"),
      test::relation("man", "sit on", "horse"),
      test::object(""),
      test::object(longest),
      test::relation("", "", ""),
      test::attribute("\0\x80", "é"),
  };
  EXPECT_EQ(decode_facts(encode_facts(facts)), facts);
  EXPECT_EQ(encode_facts({}), "");
  EXPECT_EQ(decode_facts(""), std::vector<Fact>());
}

TEST(FactCodec, RefusesWhatItDidNotWrite) {
  const std::string bytes = encode_facts(std::vector{test::relation("man", "ride", "horse")});
  for (std::size_t size = 1; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_facts(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode_facts("\x03"));
  EXPECT_FALSE(decode_facts(std::string(1, '\0') + std::string(20, '\xff')));
  EXPECT_FALSE(decode_facts(std::string(1, '\0') + '\x05' + "man"));
}

}  // namespace
}  // namespace capella::scene
