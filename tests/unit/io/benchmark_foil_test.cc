#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/small_benchmark.h"

namespace capella::io {
namespace {

using test::captions_of;
using test::references_of;
using Texts = std::vector<std::string>;

constexpr const char* kBenchmarkFoilPairs =
    R"({"image_id": 5, "caption": "a dog runs", "foil": "a cat runs", "references": ["a dog runs", "the dog", "one dog"]}
{"image_id": 5, "caption": "the dog", "foil": "the bus", "references": ["a dog runs", "the dog", "one dog"], "foil_word": "bus"}
)";

// One true caption with two foils, one with none.
constexpr const char* kAnnotations =
    R"({"info": {}, "images": [{"id": 5, "file_name": "5.jpg"}], "annotations": [
{"id": 10, "image_id": 5, "caption": "a cat runs", "foil": true, "foil_id": 1, "target_word": "dog", "foil_word": "cat"},
{"id": 10, "image_id": 5, "caption": "a dog runs", "foil": false, "foil_id": 0, "target_word": "ORIG", "foil_word": "ORIG"},
{"id": 10, "image_id": 5, "caption": "a pig runs", "foil": true, "foil_id": 2, "target_word": "dog", "foil_word": "pig"},
{"id": 11, "image_id": 5, "caption": "the dog", "foil": false, "foil_id": 0, "target_word": "ORIG", "foil_word": "ORIG"}
]})";

constexpr const char* kCoco = R"({"5": ["a dog runs", "the dog", "one dog"]})";

TEST(BenchmarkFoil, PairsWithReferences) {
  const test::SmallBenchmark small("foil");
  const Benchmark benchmark = small.read_text(kBenchmarkFoilPairs);
  EXPECT_EQ(benchmark.categories, Texts{"FOIL"});
  ASSERT_EQ(benchmark.pairs.size(), 2u);
  EXPECT_EQ(benchmark.pairs[1].preferred, 0u);
  EXPECT_EQ(captions_of(benchmark), (Texts{"a dog runs", "a cat runs", "the dog", "the bus"}));
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"the dog", "one dog"}));
  EXPECT_EQ(references_of(benchmark, 1), (Texts{"the dog", "one dog"}));
  EXPECT_EQ(references_of(benchmark, 2), (Texts{"a dog runs", "one dog"}));
  EXPECT_EQ(benchmark.image_names, Texts{"5"});
}

TEST(BenchmarkFoil, OneReference) {
  const test::SmallBenchmark small("foil");
  Benchmark benchmark = small.read_text(kBenchmarkFoilPairs);
  const Benchmark all = benchmark;
  benchmark.dataset = with_first_references(all.dataset, 1);
  EXPECT_EQ(references_of(benchmark, 0), Texts{"the dog"});
  EXPECT_EQ(references_of(benchmark, 2), Texts{"a dog runs"});
  EXPECT_EQ(captions_of(benchmark), captions_of(all));
  EXPECT_EQ(benchmark.dataset.id(3), "3");
  EXPECT_EQ(benchmark.dataset.references(0)[0].data(), all.dataset.references(0)[0].data());
}

TEST(BenchmarkFoil, FirstReferencesOutliveTheWhole) {
  const test::SmallBenchmark small("foil");
  const Dataset first = with_first_references(small.read_text(kBenchmarkFoilPairs).dataset, 5);
  ASSERT_EQ(first.size(), 4u);
  EXPECT_EQ(first.references(1).size(), 2u);
  EXPECT_EQ(first.systems()[0].captions[3], "the bus");
}

TEST(BenchmarkFoil, PublicFileWithCaptionsOfCoco) {
  const test::SmallBenchmark small("foil");
  const std::string coco = small.write("coco.json", kCoco);
  const Benchmark benchmark = small.read_text(kAnnotations, {.references = coco});
  EXPECT_EQ(captions_of(benchmark), (Texts{"a dog runs", "a cat runs", "a dog runs", "a pig runs"}));
  EXPECT_EQ(references_of(benchmark, 3), (Texts{"the dog", "one dog"}));
  ASSERT_EQ(benchmark.pairs.size(), 2u);
}

TEST(BenchmarkFoil, ReferencesOfAnotherFileComeFirst) {
  const test::SmallBenchmark small("foil");
  const std::string coco = small.write("coco.json", R"({"5": ["a mouse"]})");
  EXPECT_EQ(references_of(small.read_text(kBenchmarkFoilPairs, {.references = coco}), 0), Texts{"a mouse"});
}

TEST(BenchmarkFoil, Errors) {
  const test::SmallBenchmark small("foil");
  const std::string coco = small.write("coco.json", kCoco);
  const std::string annotations(kAnnotations);
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string text = annotations;
    return text.replace(text.find(old), old.size(), now);
  };
  small.expect_error_in_text(annotations, {"@file: the file has no references", "captions_val2014.json"});
  small.expect_error_in_text(R"({"image_id": 5, "caption": "a", "foil": "b"})",
                             {"@file: the file has no references"});
  small.expect_error_in_text(with("\"image_id\": 5", "\"image_id\": 6"),
                             {"@file:2: the image 6 has no captions in", "coco.json"}, {.references = coco});
  small.expect_error_in_text(with("\"id\": 11", "\"id\": 10"),
                             {"@file:5: the annotation 10 has a second true caption"}, {.references = coco});
  small.expect_error_in_text(with("\"id\": 10", "\"id\": 12"), {"@file:2: the foil 12 has no true caption"},
                             {.references = coco});
  small.expect_error_in_text(with("\"foil\": true", "\"foil\": \"yes\""),
                             {"@file:2: foil is the text \"yes\", expected true or false"},
                             {.references = coco});
  small.expect_error_in_text(R"({"annotations": [{"id": 1, "image_id": 5, "caption": "a", "foil": false}]})",
                             {"@file: there is no foil in it"}, {.references = coco});
  small.expect_error_in_text(R"({"image_id": 5, "caption": "a", "foil": "a", "references": ["b"]})",
                             {"@file:1: the caption and its foil are the same"});
  small.expect_error_in_text(R"({"image_id": 5, "caption": "a", "foil": "b", "references": ["a"]})",
                             {"@file:1: no reference is left"});
}

}  // namespace
}  // namespace capella::io
