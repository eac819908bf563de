#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/small_benchmark.h"

namespace capella::io {
namespace {

using test::captions_of;
using test::references_of;
using Texts = std::vector<std::string>;

constexpr const char* kPairs =
    R"({"image_id": 5, "kind": "negation", "better": "a dog runs", "worse": "no dog runs", "references": ["the dog", "a dog runs"]}
{"image_id": "6", "kind": "my own", "better": "a cat", "worse": "a cot", "references": "the cat", "edit": "a -> o"}
{"image_id": 5, "kind": "negation", "better": "the dog", "worse": "no dog", "references": ["one dog"]}
)";

TEST(BenchmarkChallenge, ReadsPairsByKinds) {
  const test::SmallBenchmark small("challenge");
  const Benchmark benchmark = small.read_text(kPairs);
  EXPECT_EQ(benchmark.categories, (Texts{"negation", "my own"}));
  ASSERT_EQ(benchmark.pairs.size(), 3u);
  EXPECT_EQ(benchmark.pairs[1].category, 1u);
  EXPECT_EQ(benchmark.pairs[2].category, 0u);
  EXPECT_EQ(benchmark.pairs[2].preferred, 0u);
  EXPECT_EQ(captions_of(benchmark),
            (Texts{"a dog runs", "no dog runs", "a cat", "a cot", "the dog", "no dog"}));
  EXPECT_EQ(references_of(benchmark, 0), Texts{"the dog"}) << "not the better caption";
  EXPECT_EQ(references_of(benchmark, 3), Texts{"the cat"});
  EXPECT_EQ(benchmark.image_names, (Texts{"5", "6"}));
  EXPECT_TRUE(benchmark.half_ties);
  EXPECT_FALSE(benchmark.published);
}

TEST(BenchmarkChallenge, ReferencesMayComeFromAnotherFile) {
  const test::SmallBenchmark small("challenge");
  const std::string captions =
      small.write("captions.json", R"({"5": ["a dog runs", "my dog"], "6": ["my cat"]})");
  const Benchmark benchmark = small.read_text(kPairs, {.references = captions});
  EXPECT_EQ(references_of(benchmark, 1), Texts{"my dog"});
  EXPECT_EQ(references_of(benchmark, 2), Texts{"my cat"});
}

TEST(BenchmarkChallenge, ReadsTablesToo) {
  const test::SmallBenchmark small("challenge");
  const Benchmark benchmark = small.read_text(
      "image_id,kind,better,worse,references\n1,x,a dog,a cat,\"[\"\"the dog\"\", \"\"one dog\"\"]\"\n");
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"the dog", "one dog"}));
}

TEST(BenchmarkChallenge, NamesTheDamagedRow) {
  const test::SmallBenchmark small("challenge");
  const auto row = [](const std::string& fields) {
    return std::string(kPairs) + R"({"image_id": 5, "references": ["r"], )" + fields + "}\n";
  };
  small.expect_error_in_text(row(R"("kind": "x", "better": "a", "worse": "a")"), {"@file:4", "same caption"});
  small.expect_error_in_text(row(R"("kind": "x", "better": "a")"), {"@file:4", "no worse"});
  small.expect_error_in_text(row(R"("better": "a", "worse": "b")"), {"@file:4", "no kind"});
  small.expect_error_in_text(row(R"("kind": "", "better": "a", "worse": "b")"), {"@file:4", "kind is"});
  small.expect_error_in_text(row(R"("kind": "mean", "better": "a", "worse": "b")"), {"@file:4", "mean"});
  small.expect_error_in_text(row(R"("kind": 3, "better": "a", "worse": "b")"), {"@file:4", "kind is"});
  small.expect_error_in_text(row(R"("kind": "x", "better": "r", "worse": "b")"), {"@file:4", "no reference"});
  small.expect_error_in_text(row(R"("kind": "x", "better": "a", "worse": "b)"), {"@file:4", "not JSON"});
}

TEST(BenchmarkChallenge, TooManyKindsAreNoKinds) {
  const test::SmallBenchmark small("challenge");
  std::string rows;
  for (int i = 0; i < 101; ++i)
    rows += R"({"image_id": 1, "kind": "k)" + std::to_string(i) +
            R"(", "better": "a", "worse": "b", "references": ["r"]})"
            "\n";
  small.expect_error_in_text(rows, {"@file:101", "one more than the 100"});
}

TEST(BenchmarkChallenge, IsToldFromOtherFiles) {
  const test::SmallBenchmark small("challenge");
  small.expect_error_in_text(R"([{"caption": "a", "foil": "b", "references": ["c"], "image_id": 1}])",
                             {"foil"});
}

}  // namespace
}  // namespace capella::io
