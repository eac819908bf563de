// Intervals of scores: from the same rows as the scores, by resampling items.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "capella/pipeline.h"

#include "base/random.h"
#include "support/score_items.h"

namespace capella {
namespace {

using test::Item;
using test::make_dataset;
using test::one_metric;

// Captions of mixed quality, so that resamples differ.
std::vector<Item> mixed_items(std::size_t count) {
  const std::vector<std::string> words = {"a", "dog", "runs", "on", "the", "grass", "cat", "red"};
  Random random(7);
  const auto sentence = [&] {
    std::string text;
    for (std::size_t i = 0; i < 3 + random.below(4); ++i)
      text += words[random.below(static_cast<std::uint32_t>(words.size()))] + " ";
    return text;
  };
  std::vector<Item> items;
  for (std::size_t i = 0; i < count; ++i) {
    std::string caption = sentence();  // made first: the order of draws must not depend on the compiler
    std::string reference = sentence();
    items.push_back({std::move(caption), {std::move(reference), "a dog runs on the grass"}});
  }
  return items;
}

Result score_with_intervals(const Dataset& dataset, ScoreOptions options, IntervalOptions intervals) {
  options.intervals = intervals;
  return score(dataset, options);
}

// The definition, for a score that is a mean: draw items, average their scores, take the ends.
TEST(Intervals, OfAMeanAreThoseOfResampledMeans) {
  constexpr std::size_t kItems = 40;
  constexpr std::size_t kResamples = 400;
  const Dataset dataset = make_dataset(mixed_items(kItems));
  const Result result = score_with_intervals(dataset, one_metric("rouge-l"), {kResamples, 99});
  Random random(99);
  std::vector<double> means;
  for (std::size_t b = 0; b < kResamples; ++b) {
    double sum = 0;
    for (std::size_t i = 0; i < kItems; ++i) sum += result.item_value(0, random.below(kItems), 0);
    means.push_back(sum / kItems);
  }
  std::sort(means.begin(), means.end());
  ASSERT_EQ(result.systems[0].intervals.size(), 1u);
  EXPECT_NEAR(result.systems[0].intervals[0].low, means[kResamples / 40], 1e-12);
  EXPECT_NEAR(result.systems[0].intervals[0].high, means[kResamples - kResamples / 40 - 1], 1e-12);
}

// BLEU is no mean: its counts are added up first.
TEST(Intervals, OfBleuComeFromItsCounts) {
  constexpr std::size_t kItems = 30;
  const std::vector<Item> items = mixed_items(kItems);
  const Result result = score_with_intervals(make_dataset(items), one_metric("bleu"), {200, 5});
  Random random(5);
  std::vector<double> values;
  for (std::size_t b = 0; b < 200; ++b) {
    std::vector<Item> drawn;
    for (std::size_t i = 0; i < kItems; ++i) drawn.push_back(items[random.below(kItems)]);
    values.push_back(score(make_dataset(drawn), one_metric("bleu")).systems[0].values[1]);
  }
  std::sort(values.begin(), values.end());
  EXPECT_NEAR(result.systems[0].intervals[1].low, values[5], 1e-12);
  EXPECT_NEAR(result.systems[0].intervals[1].high, values[194], 1e-12);
}

TEST(Intervals, AreThereOnlyOnRequestAndChangeNoScore) {
  const Dataset dataset = make_dataset(mixed_items(25));
  const Result without = score(dataset, one_metric("bleu"));
  const Result with = score_with_intervals(dataset, one_metric("bleu"), {});
  EXPECT_TRUE(without.systems[0].intervals.empty());
  EXPECT_FALSE(without.intervals.has_value());
  EXPECT_EQ(without.systems[0].values, with.systems[0].values);
  EXPECT_EQ(with.systems[0].intervals.size(), with.columns.size());
}

TEST(Intervals, DoNotDependOnThreads) {
  const Dataset dataset = make_dataset(mixed_items(60), {});
  for (const IntervalMethod method : {IntervalMethod::percentile, IntervalMethod::bca}) {
    ScoreOptions options = one_metric("cider-d");
    options.metrics = {"bleu", "rouge-l", "cider-d"};
    options.threads = 1;
    const Result one = score_with_intervals(dataset, options, {500, 1, method});
    options.threads = 3;
    const Result three = score_with_intervals(dataset, options, {500, 1, method});
    for (std::size_t i = 0; i < one.columns.size(); ++i) {
      EXPECT_EQ(one.systems[0].intervals[i].low, three.systems[0].intervals[i].low);
      EXPECT_EQ(one.systems[0].intervals[i].high, three.systems[0].intervals[i].high);
    }
  }
}

TEST(Intervals, HoldTheScore) {
  const Result result =
      score_with_intervals(make_dataset(mixed_items(60)), one_metric("bleu"), {1000, 1, IntervalMethod::bca});
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    EXPECT_LT(result.systems[0].intervals[i].low, result.systems[0].values[i]);
    EXPECT_GT(result.systems[0].intervals[i].high, result.systems[0].values[i]);
  }
}

TEST(Intervals, OfMergedShardsAreThoseOfOneRun) {
  const Dataset dataset = make_dataset(mixed_items(31));
  ScoreOptions options = one_metric("bleu");
  options.tokenizer = "ptb-iso";
  std::vector<std::string> shards, names;
  for (std::size_t i = 0; i < 3; ++i) {
    shards.push_back(shard_statistics(dataset, options, {i, 3}));
    names.push_back("shard " + std::to_string(i));
  }
  options.intervals = IntervalOptions{300, 4};
  const Result whole = score(dataset, options);
  const Result merged = merge_statistics(shards, names, options);
  for (std::size_t i = 0; i < whole.columns.size(); ++i)
    EXPECT_EQ(whole.systems[0].intervals[i].low, merged.systems[0].intervals[i].low);
}

TEST(Intervals, OfFewItemsComeWithAWarning) {
  const auto warnings_for = [](std::size_t items) {
    return score_with_intervals(make_dataset(mixed_items(items)), one_metric("bleu"), {}).warnings;
  };
  ASSERT_EQ(warnings_for(3).size(), 1u);
  EXPECT_NE(warnings_for(3)[0].find("3 items: too few"), std::string::npos);
  EXPECT_TRUE(warnings_for(20).empty());
}

}  // namespace
}  // namespace capella
