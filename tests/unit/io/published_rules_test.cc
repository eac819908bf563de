#include "io/published_rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::TempDir;

constexpr const char* kRules =
    "man:ride:bike,man:on:bike\r\n\nman:on:bike,bike:sit under:man\nman:ride:bike,man:on:bike\n";

PublishedParameters read(const std::string& rules, const std::string& parameters) {
  const TempDir folder;
  return read_published_rules(folder.write("rules.txt", rules), folder.write("weights.txt", parameters));
}

std::string problem(const std::string& rules, const std::string& parameters) {
  return message_of<DataError>([&] { read(rules, parameters); });
}

void expect_part(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(PublishedRules, ReadsRulesAndWeights) {
  const PublishedParameters read_back = read(
      kRules, R"({"7": {"man:ride:bike,man:on:bike": [0.5, 0], "a:b:c,man:ride:bike": [1, -2.5]}, "8": {}})");
  EXPECT_EQ(read_back.rules, 2u);
  EXPECT_EQ(read_back.unknown_rules, 1u);
  EXPECT_EQ(read_back.atoms, (std::vector<std::string>{"man:ride:bike", "man:on:bike", "a:b:c"}));
  ASSERT_EQ(read_back.images.size(), 2u);
  EXPECT_EQ(read_back.images[0].id, "7");
  ASSERT_EQ(read_back.images[0].rules.size(), 2u);
  EXPECT_EQ(read_back.images[0].rules[1].atoms, (std::vector<std::uint32_t>{2, 0}));
  EXPECT_EQ(read_back.images[0].rules[0].w0, 0.5);
  EXPECT_EQ(read_back.images[0].rules[1].w0, 1);
  EXPECT_EQ(read_back.images[0].rules[1].w1, -2.5);
  EXPECT_TRUE(read_back.images[1].rules.empty());
}

TEST(PublishedRules, TellsWhatIsWrongWithRules) {
  expect_part(problem("a:b:c,d:e:f\na:b\n", "{}"), "rules.txt:2: found 'a:b', expected triplets");
  for (const char* bad : {"a:b:c,", ",a:b:c", "a:b:c:d,a:b:c", "a::c,a:b:c", "a b c"})
    expect_part(problem(bad, "{}"), "rules.txt:1: found");
  expect_part(problem("[\"a\"]", "{}"), "found JSON");
  expect_part(problem("", "{}"), "the file is empty, expected a rule per line");
}

TEST(PublishedRules, TellsWhatIsWrongWithWeights) {
  expect_part(problem(kRules, "[1]"), "found no JSON object, expected the published weights");
  expect_part(problem(kRules, "{\"7\": {},\n\"8\": 5}"), "weights.txt:2: image '8': found the number 5");
  expect_part(problem(kRules, R"({"7": {"man": [0, 0]}})"), "weights.txt:1: image '7': found the rule 'man'");
  for (const char* bad : {"[1]", "[1, 2, 3]", "[1, \"x\"]", "1", "[null, 1]"})
    expect_part(problem(kRules, fmt::format(R"({{"7": {{"a:b:c,d:e:f": {}}}}})", bad)),
                "expected two finite weights");
  expect_part(problem(kRules, R"({"7": {}, "7": {}})"), "image '7': is there twice");
  expect_part(problem(kRules, "{\"7\": {"), "weights.txt:1");
}

}  // namespace
}  // namespace capella::io
