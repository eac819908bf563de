#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_benchmark.h"

namespace capella::io {
namespace {

using test::references_of;
using Texts = std::vector<std::string>;

constexpr const char* kBenchmarkCompositeRows =
    R"({"image": "1.jpg", "candidate_no": 0, "caption": "a man in a t shirt sits.", "human_rating": 5, "fleur_score": 0.9, "references": ["A bus.", "A man in a T-shirt, sits", "Some one sits."]}
{"image": "1.jpg", "candidate_no": 1, "caption": "a bus", "human_rating": 1, "fleur_score": 0.1, "references": ["A bus.", "A man in a T-shirt, sits", "Some one sits."]}
{"image": "2.jpg", "candidate_no": 1, "caption": "a cat", "human_rating": 3, "fleur_score": 0.4, "references": ["Two cats."]}
)";

TEST(BenchmarkComposite, TheRatedHumanCaptionIsNoReferenceOfItsImage) {
  const test::SmallBenchmark small("composite");
  const Benchmark benchmark = small.read_text(kBenchmarkCompositeRows);
  EXPECT_EQ(benchmark.title, "Composite");
  EXPECT_EQ(benchmark.ratings, (std::vector<double>{5, 1, 3}));
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"A bus.", "Some one sits."}));
  EXPECT_EQ(references_of(benchmark, 1), (Texts{"A bus.", "Some one sits."}));
  EXPECT_EQ(references_of(benchmark, 2), (Texts{"Two cats."}));
  EXPECT_EQ(benchmark.image_names, (Texts{"1.jpg", "2.jpg"}));
  EXPECT_NE(benchmark.notes.at(0).find("1 rows have none like it"), std::string::npos);
}

TEST(BenchmarkComposite, OfEqualReferencesOneIsDropped) {
  const test::SmallBenchmark small("composite");
  const Benchmark benchmark = small.read_text(
      R"([{"image": 7, "candidate_no": 0, "caption": "a dog.", "human_rating": 5, "references": ["A cat", "A dog.", "A dog."]}])");
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"A cat", "A dog."}));
}

TEST(BenchmarkComposite, CarriesTheScoresOfAnotherMetric) {
  const test::SmallBenchmark small("composite");
  const Benchmark benchmark = small.read_text(kBenchmarkCompositeRows);
  ASSERT_EQ(benchmark.carried.size(), 1u);
  EXPECT_EQ(benchmark.carried[0].name, "FLEUR");
  EXPECT_EQ(benchmark.carried[0].values, (std::vector<double>{0.9, 0.1, 0.4}));
  std::string some(kBenchmarkCompositeRows);
  some.replace(some.find(", \"fleur_score\": 0.9"), 20, "");
  EXPECT_TRUE(small.read_text(some).carried.empty());
}

constexpr const char* kParts =
    R"({"dataset": "coco", "image": "1.jpg", "candidate_no": 1, "caption": "a bus", "human_rating": 1, "references": ["A bus."]}
{"dataset": "flickr8k", "image": "2.jpg", "candidate_no": 1, "caption": "a cat", "human_rating": 3, "references": ["Two cats."]}
{"dataset": "coco", "image": "3.jpg", "candidate_no": 1, "caption": "a dog", "human_rating": 2, "references": ["A dog."]}
)";

TEST(BenchmarkComposite, PartsAreLeftOut) {
  const test::SmallBenchmark small("composite");
  BenchmarkOptions options;
  options.without = {"flickr8k", "flickr8k"};
  const Benchmark benchmark = small.read_text(kParts, options);
  EXPECT_EQ(benchmark.ratings, (std::vector<double>{1, 2}));
  EXPECT_EQ(benchmark.rows(), 2u);
  EXPECT_EQ(benchmark.rows_of_file(), 3u);
  EXPECT_EQ(kept_values(benchmark, {10, 20, 30}), (std::vector<double>{10, 30}));
  const auto told = [](const std::string& note) { return note == "the 1 rows of flickr8k are left out"; };
  EXPECT_EQ(std::ranges::count_if(benchmark.notes, told), 1);  // though it is named twice
  EXPECT_EQ(small.read_text(kParts).rows_of_file(), 3u);
  options.without = {"coco", "flickr8k"};
  const std::string problem = test::message_of<UsageError>([&] { small.read_text(kParts, options); });
  EXPECT_NE(problem.find("nothing is left without coco, flickr8k"), std::string::npos) << problem;
}

TEST(BenchmarkComposite, MalformedRows) {
  const test::SmallBenchmark small("composite");
  const std::string rows(kBenchmarkCompositeRows);
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string text = rows;
    return text.replace(text.find(old), old.size(), now);
  };
  small.expect_error_in_text(with("\"human_rating\": 1", "\"human_rating\": 6"),
                             {"@file:2: human_rating is the number 6, expected a number from 1 to 5"});
  small.expect_error_in_text(with("\"human_rating\": 1", "\"human_rating\": \"nan\""),
                             {"@file:2: human_rating is the text \"nan\""});
  small.expect_error_in_text(with("\"human_rating\": 1,", ""), {"@file:2: the row has no human_rating"});
  small.expect_error_in_text(with("\"candidate_no\": 1, \"caption\": \"a cat\"", "\"caption\": \"a cat\""),
                             {"@file:3: the row has no candidate_no"});
  small.expect_error_in_text(with("[\"Two cats.\"]", "[]"), {"@file:3: references is an empty list"});
  small.expect_error_in_text(with("\"Two cats.\"", "3"),
                             {"@file:3: an element of references is the number 3, expected a string"});
  small.expect_error_in_text(rows.substr(0, rows.size() - 20),
                             {"@file:3: the line is not JSON", "cut short"});
  small.expect_error_in_text(
      R"({"image": 1, "candidate_no": 0, "caption": "a dog", "human_rating": 5, "references": ["a dog"]})",
      {"@file:1: no reference is left"});
  small.expect_error_in_text(" \n", {"@file: the file is empty, expected ratings"});
  small.expect_error_in_text("[]", {"@file: there are no rows in it"});
  small.expect_error_in_text("[[3]]", {"@file:1: the row is a list, expected an object"});
}

}  // namespace
}  // namespace capella::io
