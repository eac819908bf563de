#include "capella/compare.h"

#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/random.h"
#include "support/message_of.h"
#include "support/score_items.h"

namespace capella {
namespace {

using test::Item;
using test::make_dataset;
using test::message_of;
using test::NamedCaptions;
using test::one_metric;

// `good` repeats the reference, `same` is as good in other words' order, `bad` is about something else.
Dataset three_systems(std::size_t items) {
  std::vector<Item> all;
  std::vector<std::string> same, bad;
  Random random(3);
  for (std::size_t i = 0; i < items; ++i) {
    const std::string number = std::to_string(i % 5);
    const bool long_one = random.below(2) == 0;
    const std::string reference = "a dog number " + number + " runs on the grass";
    all.push_back({long_one ? reference : "a dog number " + number, {reference}});
    same.push_back(long_one ? "a dog number " + number : reference);
    bad.push_back(random.below(3) == 0 ? "a dog" : "two red buses");
  }
  return make_dataset(all, {{"same", same}, {"bad", bad}});
}

CompareOptions with_test(const std::string& test) {
  CompareOptions options;
  options.test = test;
  options.resamples = 2000;
  return options;
}

TEST(Compare, FindsWhatDiffersAndNotWhatIsEqual) {
  for (const char* test : {"bootstrap", "randomization"}) {
    const Comparison comparison = compare(three_systems(200), one_metric("rouge-l"), with_test(test));
    ASSERT_EQ(comparison.differences.size(), 3u);
    EXPECT_EQ(comparison.differences[0].verdict, Verdict::not_real) << test;  // first against same
    EXPECT_EQ(comparison.differences[1].verdict, Verdict::real) << test;      // first against bad
    EXPECT_GT(comparison.differences[1].value, 0);
    EXPECT_GT(comparison.differences[1].effect, 1);
    EXPECT_EQ(comparison.differences[2].verdict, Verdict::real) << test;
  }
}

TEST(Compare, DifferencesAreThoseOfTheScores) {
  const Comparison comparison = compare(three_systems(50), one_metric("bleu"), with_test("bootstrap"));
  for (const Difference& difference : comparison.differences) {
    const auto& systems = comparison.result.systems;
    EXPECT_EQ(difference.value, systems[difference.first].values[difference.column] -
                                    systems[difference.second].values[difference.column]);
    EXPECT_LE(difference.interval.low, difference.value);
    EXPECT_GE(difference.interval.high, difference.value);
    EXPECT_GE(difference.p_corrected, difference.p);
  }
}

// With six items all 64 ways to change sides are tried: the p-value is a multiple of 1/64.
TEST(Compare, TriesAllAssignmentsOfFewItems) {
  const Comparison comparison = compare(three_systems(6), one_metric("rouge-l"), with_test("randomization"));
  EXPECT_TRUE(comparison.exact);
  for (const Difference& difference : comparison.differences) {
    EXPECT_EQ(difference.p * 64, std::round(difference.p * 64));
    EXPECT_GE(difference.p, 1.0 / 64);
    EXPECT_TRUE(std::isnan(difference.p_sacrebleu));
  }
}

TEST(Compare, EqualSystemsDoNotDiffer) {
  const Dataset dataset = make_dataset({{"a dog", {"a dog runs"}}, {"a cat", {"cats"}}, {"x", {"x y"}}},
                                       {{"again", {"a dog", "a cat", "x"}}});
  for (const char* test : {"bootstrap", "randomization"}) {
    const Comparison comparison = compare(dataset, one_metric("rouge-l"), with_test(test));
    EXPECT_EQ(comparison.differences[0].p, 1.0) << test;
    EXPECT_EQ(comparison.differences[0].effect, 0.0);
    EXPECT_EQ(comparison.differences[0].value, 0.0);
  }
}

TEST(Compare, WithABaselineLeavesTheOtherPairsOut) {
  CompareOptions options = with_test("bootstrap");
  options.baseline = "same";
  const Comparison comparison = compare(three_systems(30), one_metric("rouge-l"), options);
  ASSERT_EQ(comparison.differences.size(), 2u);
  EXPECT_EQ(comparison.differences[0].first, 0u);
  EXPECT_EQ(comparison.differences[0].second, 1u);
  EXPECT_EQ(comparison.differences[1].first, 2u);
  EXPECT_EQ(comparison.differences[1].second, 1u);
}

TEST(Compare, DoesNotDependOnThreads) {
  for (const char* test : {"bootstrap", "randomization"}) {
    ScoreOptions options = one_metric("bleu");
    options.threads = 1;
    const Comparison one = compare(three_systems(80), options, with_test(test));
    options.threads = 3;
    const Comparison three = compare(three_systems(80), options, with_test(test));
    for (std::size_t i = 0; i < one.differences.size(); ++i) {
      EXPECT_EQ(one.differences[i].p, three.differences[i].p);
      EXPECT_EQ(one.differences[i].interval.low, three.differences[i].interval.low);
    }
  }
}

TEST(Compare, SaysWhenResamplesAreTooFew) {
  CompareOptions options = with_test("bootstrap");
  options.resamples = 100;  // 12 tests need more than 240
  const Comparison comparison = compare(three_systems(30), one_metric("bleu"), options);
  ASSERT_EQ(comparison.result.warnings.size(), 1u);
  EXPECT_NE(comparison.result.warnings[0].find("100 resamples are too few for 12 tests"), std::string::npos);
  EXPECT_EQ(comparison.undecided, comparison.result.warnings[0]);
  for (const Difference& difference : comparison.differences)
    EXPECT_EQ(difference.verdict, Verdict::undecided);
}

// One image says nothing, however large the difference.
TEST(Compare, TheBootstrapOfFewItemsDecidesNothing) {
  const Comparison comparison = compare(three_systems(1), one_metric("rouge-l"), with_test("bootstrap"));
  EXPECT_NE(comparison.undecided.find("1 item; use --test randomization"), std::string::npos);
  for (const Difference& difference : comparison.differences)
    EXPECT_EQ(difference.verdict, Verdict::undecided);
  const Comparison exact = compare(three_systems(4), one_metric("rouge-l"), with_test("randomization"));
  EXPECT_EQ(exact.trials, 16u);
  EXPECT_NE(exact.undecided.find("4 items are too few for 3 tests"), std::string::npos);
}

TEST(Compare, TakesMoreResamplesForManyTests) {
  std::vector<Item> items(20, Item{"a dog", {"a dog runs"}});
  std::vector<NamedCaptions> others;
  for (int k = 0; k < 15; ++k) others.push_back({std::to_string(k), std::vector<std::string>(20, "a dog")});
  const Comparison comparison = compare(make_dataset(items, others), one_metric("bleu"), {});
  EXPECT_EQ(comparison.differences.size(), 480u);
  EXPECT_EQ(comparison.trials, 19'200u);
  EXPECT_TRUE(comparison.undecided.empty());
}

TEST(Compare, AScoreThatIsNoNumberLeavesNothingToTest) {
  ScoreOptions options = one_metric("rouge-l");
  GivenScores given{"mine", {}};
  given.values = {std::vector<double>(30, 1.0), std::vector<double>(30, 0.5), std::vector<double>(30, 0.25)};
  given.values[1][3] = std::nan("");
  options.given = {given};
  const Comparison comparison = compare(three_systems(30), options, with_test("bootstrap"));
  EXPECT_EQ(comparison.differences[1].verdict, Verdict::undecided);  // first against same, mine
  ASSERT_FALSE(comparison.result.warnings.empty());
  EXPECT_NE(comparison.result.warnings.back().find("2 of 6 differences cannot be tested"), std::string::npos);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const Dataset one = make_dataset({{"a dog", {"a dog"}}});
  EXPECT_NE(
      message_of<UsageError>([&] { compare(one, one_metric("bleu"), {}); }).find("two systems, found 1"),
      std::string::npos);
  EXPECT_NE(message_of<UsageError>([&] {
              compare(three_systems(3), one_metric("bleu"), with_test("bootstrp"));
            }).find("did you mean 'bootstrap'"),
            std::string::npos);
  CompareOptions options = with_test("bootstrap");
  options.baseline = "first one";
  EXPECT_NE(message_of<UsageError>([&] {
              compare(three_systems(3), one_metric("bleu"), options);
            }).find("unknown baseline 'first one'"),
            std::string::npos);
}

}  // namespace
}  // namespace capella
