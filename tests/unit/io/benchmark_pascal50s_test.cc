#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/small_benchmark.h"

namespace capella::io {
namespace {

using test::captions_of;
using test::references_of;
using Texts = std::vector<std::string>;

constexpr const char* kLabelled = R"({
  "HI": [
    {"image": "VOC/x.jpg", "captions": ["a bus", "a cat"], "label": 0, "references": ["the bus", "a big bus"]},
    {"image": "VOC/y.jpg", "captions": ["a man", "a dog"], "label": 1, "references": ["the dog"]}],
  "HC": [
    {"image": "VOC/x.jpg", "captions": ["a bus", "one bus"], "label": 1, "references": ["the bus", "a big bus"]}],
  "HM": [{"image": "VOC/x.jpg", "captions": ["a bus", "bus"], "label": 0, "references": ["the bus", "a big bus"]}],
  "MM": [{"image": "VOC/x.jpg", "captions": ["bus", "cat"], "label": 0, "references": ["the bus", "a big bus"]}]
})";

constexpr const char* kVoted =
    R"({"image": "y.jpg", "sent1": "a man", "sent2": "a dog", "category": "HI", "votes": [-1, -1, 1]}
{"image": "x.jpg", "sent1": "a bus", "sent2": "one bus", "category": "HC", "votes": [1, 1, -1]}
{"image": "x.jpg", "sent1": "a bus", "sent2": "a cat", "category": "MM", "votes": [1, -1]}
{"image": "x.jpg", "sent1": "a bus", "sent2": "bus", "category": "HM", "votes": [1]}
)";

std::vector<std::vector<std::uint32_t>> pairs_of(const Benchmark& benchmark) {
  std::vector<std::vector<std::uint32_t>> pairs;
  for (const auto& [category, preferred] : benchmark.pairs) pairs.push_back({category, preferred});
  return pairs;
}

TEST(BenchmarkPascal50s, LabelledPairsInFileOrder) {
  const test::SmallBenchmark small("pascal50s");
  const Benchmark benchmark = small.read_text(kLabelled);
  EXPECT_TRUE(benchmark.pairwise());
  EXPECT_TRUE(benchmark.usual.empty());
  EXPECT_TRUE(benchmark.ratings.empty());
  EXPECT_EQ(benchmark.categories, (Texts{"HC", "HI", "HM", "MM"}));
  EXPECT_EQ(pairs_of(benchmark),
            (std::vector<std::vector<std::uint32_t>>{{1, 0}, {1, 1}, {0, 1}, {2, 0}, {3, 0}}));
  EXPECT_EQ(captions_of(benchmark),
            (Texts{"a bus", "a cat", "a man", "a dog", "a bus", "one bus", "a bus", "bus", "bus", "cat"}));
  EXPECT_EQ(references_of(benchmark, 1), (Texts{"the bus", "a big bus"}));
  EXPECT_EQ(references_of(benchmark, 3), (Texts{"the dog"}));
  EXPECT_EQ(benchmark.image_names, (Texts{"VOC/x.jpg", "VOC/y.jpg"}));
  EXPECT_NE(benchmark.version.find("FLEUR"), std::string::npos);
}

TEST(BenchmarkPascal50s, VotesTakeReferencesFromTheFileBeside) {
  const test::SmallBenchmark small("pascal50s");
  small.write("pascal_50s.json", kLabelled);
  const Benchmark benchmark = small.read_text(kVoted);
  EXPECT_EQ(pairs_of(benchmark), (std::vector<std::vector<std::uint32_t>>{{1, 1}, {0, 0}, {3, 0}, {2, 0}}));
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"the dog"}));
  EXPECT_EQ(references_of(benchmark, 2), (Texts{"the bus", "a big bus"}));
  EXPECT_EQ(benchmark.version, "majority of 9 single votes, the second collection");
  EXPECT_NE(benchmark.notes.at(0).find("1 pairs have as many votes"), std::string::npos);
}

TEST(BenchmarkPascal50s, VotesWithReferencesByImage) {
  const test::SmallBenchmark small("pascal50s");
  const std::string references = small.write("refs.json", R"({"x.jpg": ["bus"], "y.jpg": ["dog", "pug"]})");
  const Benchmark benchmark = small.read_text(kVoted, {.references = references});
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"dog", "pug"}));
  const std::string few = small.write("few.json", R"({"x.jpg": ["bus"]})");
  small.expect_error_in_text(kVoted, {"@file:1: the image y.jpg has no captions in", "few.json"},
                             {.references = few});
}

TEST(BenchmarkPascal50s, MalformedLabels) {
  const test::SmallBenchmark small("pascal50s");
  const std::string text(kLabelled);
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string changed = text;
    return changed.replace(changed.find(old), old.size(), now);
  };
  small.expect_error_in_text(with("\"label\": 1", "\"label\": 2"),
                             {"@file:4: label is the number 2, expected a number from 0 to 1"});
  small.expect_error_in_text(with("\"label\": 1", "\"label\": 0.5"), {"@file:4: label is the number 0.5"});
  small.expect_error_in_text(with("[\"a man\", \"a dog\"]", "[\"a man\"]"),
                             {"@file:4: there are 1 captions, expected 2"});
  std::string one_line = with("[\"a man\", \"a dog\"]", "[\"a man\"]");
  std::erase(one_line, '\n');
  small.expect_error_in_text(one_line, {"@file:1: row 2 of HI: there are 1 captions, expected 2"});
  small.expect_error_in_text(with("\"HC\"", "\"HX\""), {"@file: the category \"HX\" is not known"});
  small.expect_error_in_text(text.substr(0, 200), {"@file:4: not JSON", "cut short"});
  small.expect_error_in_text(with("\"HM\"", "\"HC\""), {"@file: the category \"HC\" stands there twice"});
}

// The mean over categories has no meaning without one of them.
TEST(BenchmarkPascal50s, MissingCategories) {
  const test::SmallBenchmark small("pascal50s");
  const std::string text(kLabelled);
  small.expect_error_in_text(text.substr(0, text.find("],\n  \"HM\"")) + "]}",
                             {"@file: there are no pairs of HM and MM, expected HC, HI, HM, MM"});
  small.write("pascal_50s.json", kLabelled);
  const std::string votes(kVoted);
  small.expect_error_in_text(
      votes.substr(0, votes.find("{\"image\": \"x.jpg\", \"sent1\": \"a bus\", \"sent2\": \"bus\"")),
      {"@file: there are no pairs of HM, expected HC, HI, HM, MM"});
}

TEST(BenchmarkPascal50s, MalformedVotes) {
  const test::SmallBenchmark small("pascal50s");
  small.expect_error_in_text(kVoted, {"@file: the file has no references, and pascal_50s.json"});
  small.write("pascal_50s.json", kLabelled);
  const std::string head = R"({"image": "x.jpg", "sent1": "a", "sent2": "b", )";
  const auto expect = [&](const std::string& rest, const std::string& part) {
    small.expect_error_in_text(head + rest, {part});
  };
  expect(R"("category": "HX", "votes": [1]})", "@file:1: the category is \"HX\", expected HC, HI, HM or MM");
  expect(R"("category": "HC", "votes": [2]})", "@file:1: a vote is 2, expected 1 or -1");
  expect(R"("category": "HC", "votes": []})", "@file:1: votes is a list, expected a list of numbers");
  expect(R"("category": "HC", "votes": ["1"]})", "@file:1: an element of votes is the text \"1\"");
  expect(R"("category": "HC"})", "@file:1: the row has no votes");
}

}  // namespace
}  // namespace capella::io
