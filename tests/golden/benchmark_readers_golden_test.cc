// The public files of human judgements give the rows that their protocols tell (docs/human-judgement.md).
#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "golden/golden_scores.h"
#include "io/benchmark.h"
#include "support/shared.h"

namespace capella::test {
namespace {

using io::Benchmark;
using io::read_benchmark;

std::size_t count(const std::vector<double>& ratings, double rating) {
  return static_cast<std::size_t>(std::count(ratings.begin(), ratings.end(), rating));
}

// How many rows have so many references.
std::map<std::size_t, std::size_t> reference_counts(const Benchmark& benchmark) {
  std::map<std::size_t, std::size_t> counts;
  for (std::size_t row = 0; row < benchmark.rows(); ++row) ++counts[benchmark.dataset.references(row).size()];
  return counts;
}

std::vector<std::size_t> pairs_by_category(const Benchmark& benchmark) {
  std::vector<std::size_t> counts(benchmark.categories.size(), 0);
  for (const Benchmark::Pair& pair : benchmark.pairs) ++counts.at(pair.category);
  return counts;
}

TEST(BenchmarkReadersGolden, Flickr8kExpert) {
  CAPELLA_NEED_SHARED(folder, "data/flickr8k");
  CAPELLA_NEED_SHARED(golden, "golden/golden_flickr8k_expert.json");
  const Benchmark benchmark = read_benchmark("flickr8k-expert", folder.string(), {});
  ASSERT_EQ(benchmark.rows(), 16992u);
  EXPECT_EQ(benchmark.image_names.size(), 1000u);
  EXPECT_EQ(count(benchmark.ratings, 1), 9796u);
  EXPECT_EQ(count(benchmark.ratings, 2), 4997u);
  EXPECT_EQ(count(benchmark.ratings, 3), 1686u);
  EXPECT_EQ(count(benchmark.ratings, 4), 513u);
  EXPECT_EQ(reference_counts(benchmark), (std::map<std::size_t, std::size_t>{{5, 16992}}));
  ASSERT_EQ(benchmark.notes.size(), 1u);
  EXPECT_TRUE(benchmark.notes[0].starts_with("158 of 5,822 pairs")) << benchmark.notes[0];
  const Json rows = read_json(golden).at("rows");
  ASSERT_EQ(rows.size(), benchmark.rows());
  for (std::size_t row = 0; row < benchmark.rows(); ++row) {
    ASSERT_EQ(benchmark.ratings[row], rows[row].at("rating").get<double>()) << row;
  }
}

TEST(BenchmarkReadersGolden, Flickr8kCrowdFlower) {
  CAPELLA_NEED_SHARED(folder, "data/flickr8k");
  const Benchmark benchmark = read_benchmark("flickr8k-cf", folder.string(), {});
  ASSERT_EQ(benchmark.rows(), 47830u);
  EXPECT_EQ(benchmark.image_names.size(), 1000u);
  EXPECT_EQ(reference_counts(benchmark),
            (std::map<std::size_t, std::size_t>{{3, 30}, {4, 36160}, {5, 11640}}));
  const Benchmark other = read_benchmark("flickr8k-cf", folder.string(), {.clipscore_references = true});
  EXPECT_EQ(reference_counts(other), (std::map<std::size_t, std::size_t>{{3, 90}, {4, 36100}, {5, 11640}}));
}

TEST(BenchmarkReadersGolden, Composite) {
  CAPELLA_NEED_SHARED(file, "data/composite/composite.jsonl");
  const Benchmark benchmark = read_benchmark("composite", file.string(), {});
  ASSERT_EQ(benchmark.rows(), 11985u);
  EXPECT_EQ(benchmark.image_names.size(), 3995u);
  EXPECT_EQ(count(benchmark.ratings, 5), 4307u);
  EXPECT_EQ(reference_counts(benchmark), (std::map<std::size_t, std::size_t>{{4, 11979}, {5, 6}}));
  ASSERT_EQ(benchmark.carried.size(), 1u);
  EXPECT_EQ(benchmark.carried[0].values.size(), 11985u);
}

TEST(BenchmarkReadersGolden, Pascal50s) {
  CAPELLA_NEED_SHARED(file, "data/pascal50s/pascal_50s.json");
  const Benchmark benchmark = read_benchmark("pascal50s", file.string(), {});
  ASSERT_EQ(benchmark.rows(), 8000u);
  EXPECT_EQ(pairs_by_category(benchmark), (std::vector<std::size_t>{1000, 1000, 1000, 1000}));
  EXPECT_EQ(reference_counts(benchmark), (std::map<std::size_t, std::size_t>{{5, 8000}}));
}

// The votes of the second collection prefer another caption than the labels in one pair of seven. Within a
// category both files list the pairs in the same order.
TEST(BenchmarkReadersGolden, Pascal50sVotes) {
  CAPELLA_NEED_SHARED(labels, "data/pascal50s/pascal_50s.json");
  CAPELLA_NEED_SHARED(votes, "data/pascal50s/pair_pascal.jsonl");
  const Benchmark labelled = read_benchmark("pascal50s", labels.string(), {});
  const Benchmark voted = read_benchmark("pascal50s", votes.string(), {});
  EXPECT_EQ(pairs_by_category(voted), (std::vector<std::size_t>{1000, 1000, 1000, 1000}));
  EXPECT_EQ(reference_counts(voted), (std::map<std::size_t, std::size_t>{{5, 8000}}));
  const auto by_category = [](const Benchmark& benchmark) {
    std::vector<std::vector<std::pair<std::string_view, std::uint32_t>>> pairs(4);
    for (std::size_t k = 0; k < benchmark.pairs.size(); ++k) {
      const auto [category, preferred] = benchmark.pairs[k];
      pairs[category].emplace_back(benchmark.dataset.systems()[0].captions[2 * k], preferred);
    }
    return pairs;
  };
  const auto first = by_category(labelled);
  const auto second = by_category(voted);
  std::size_t different = 0;
  for (std::size_t category = 0; category < 4; ++category) {
    for (std::size_t k = 0; k < 1000; ++k) {
      ASSERT_EQ(first[category][k].first, second[category][k].first);
      different += first[category][k].second != second[category][k].second ? 1 : 0;
    }
  }
  EXPECT_EQ(different, 561u);
}

TEST(BenchmarkReadersGolden, Nebula) {
  CAPELLA_NEED_SHARED(file, "data/nebula/nebula_test.json");
  const Benchmark benchmark = read_benchmark("nebula", file.string(), {});
  ASSERT_EQ(benchmark.rows(), 3298u);
  EXPECT_EQ(benchmark.image_names.size(), 3298u);
  EXPECT_EQ(benchmark.version, "test split, original scores");
  EXPECT_EQ(count(benchmark.ratings, 0), 865u);
}

}  // namespace
}  // namespace capella::test
