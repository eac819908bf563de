// Systems by the verdicts on their captions.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "method/mln/system_summary.h"
#include "method/mln/verify.h"

namespace capella::method::mln {
namespace {

JudgedCaption verdict(const std::string& system, const std::string& image, double log_prob, double log_p,
                      std::size_t claims = 1) {
  JudgedCaption made;
  made.system = system;
  made.image = image;
  made.log_prob = log_prob;
  made.log_p = log_p;
  made.claims.resize(claims);
  made.method = "exact";
  return made;
}

JudgedCaption skipped(const std::string& image, const char* reason) {
  JudgedCaption made;
  made.system = "s";
  made.image = image;
  made.skipped = reason;
  return made;
}

class SystemSummary : public ::testing::Test {
 protected:
  ThreadPool pool_{1};
};

TEST_F(SystemSummary, MeansAndPopulationVariance) {
  std::vector<JudgedCaption> captions = {verdict("s", "1", -.25, -1, 2), verdict("s", "2", -.75, -3),
                                         verdict("s", "3", -.5, -2),     skipped("4", kNoNetwork),
                                         skipped("5", kEmptyQuery),      skipped("6", kEmptyQuery)};
  captions[0].claims[1].entailed = false;
  captions[1].unseen.resize(2);
  const JudgedSystem system = summarise(captions, {200, 1}, pool_);
  EXPECT_EQ(system.system, "s");
  EXPECT_EQ(system.captions, 6u);
  EXPECT_EQ(system.scored, 3u);
  EXPECT_EQ(system.no_network, 1u);
  EXPECT_EQ(system.empty_query, 2u);
  EXPECT_EQ(system.claims, 4u);
  EXPECT_EQ(system.contradicted, 1u);
  EXPECT_EQ(system.unseen, 2u);
  EXPECT_EQ(system.log_prob, -.5);
  EXPECT_NEAR(system.variance, .125 / 3, 1e-15);  // (.25^2 + .25^2 + 0) / 3
  EXPECT_NEAR(system.deviation, std::sqrt(.125 / 3), 1e-15);
  EXPECT_EQ(system.log_p, -2);
  EXPECT_LT(system.interval.low, -.5);
  EXPECT_GT(system.interval.high, -.5);
  EXPECT_GE(system.interval.low, -.75);
  EXPECT_LE(system.interval.high, -.25);
  EXPECT_GE(system.log_p_interval.low, -3);
  EXPECT_LE(system.log_p_interval.high, -1);
}

TEST_F(SystemSummary, UnseenClaimsCountWhereACaptionHasNothingElse) {
  std::vector<JudgedCaption> captions = {verdict("s", "1", -1, -1), skipped("2", kEmptyQuery),
                                         skipped("3", kEmptyQuery)};
  captions[0].log_prob_unseen = -2;
  captions[1].unseen.resize(1);
  captions[1].log_prob_unseen = -4;
  const JudgedSystem system = summarise(captions, {50, 1}, pool_);
  EXPECT_EQ(system.scored, 1u);
  EXPECT_EQ(system.log_prob, -1);
  EXPECT_EQ(system.log_prob_unseen, -3);  // the third says nothing at all
  EXPECT_FALSE(is_scored(captions[1]));
  EXPECT_TRUE(is_scored_with_unseen(captions[1]));
  EXPECT_FALSE(is_scored_with_unseen(captions[2]));
}

// So that saying the impossible never pays: it stays in every mean but that of the joint.
TEST_F(SystemSummary, WhatBreaksHardRulesCounts) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<JudgedCaption> captions = {verdict("s", "1", -1, -2), verdict("s", "2", -27, -infinity),
                                         verdict("s", "3", -2, -4)};
  for (JudgedCaption& caption : captions) caption.log_prob_unseen = caption.log_prob;
  captions[0].without_rule.resize(2);
  const JudgedSystem system = summarise(captions, {50, 1}, pool_);
  EXPECT_EQ(system.scored, 3u);
  EXPECT_EQ(system.impossible, 1u);
  EXPECT_EQ(system.log_prob, -10);
  EXPECT_EQ(system.log_prob_unseen, -10);
  EXPECT_EQ(system.log_p, -3);
  EXPECT_EQ(system.without_rule, 2u);
  std::vector<JudgedCaption> other = {verdict("o", "2", -3, -3), verdict("o", "1", -1, -1)};
  for (JudgedCaption& caption : other) caption.log_prob_unseen = caption.log_prob;
  for (const bool unseen : {false, true}) {
    const JudgedPair pair = compare(other, captions, unseen, {100, 1}, pool_);
    EXPECT_EQ(pair.images, 2u);
    EXPECT_EQ(pair.difference, 12);  // (24 + 0) / 2
  }
}

TEST_F(SystemSummary, WithoutVerdictsNothingIsKnown) {
  const std::vector<JudgedCaption> captions = {skipped("1", kNoNetwork), skipped("2", kEmptyQuery)};
  const JudgedSystem system = summarise(captions, {50, 1}, pool_);
  EXPECT_EQ(system.captions, 2u);
  EXPECT_EQ(system.scored, 0u);
  for (const double value :
       {system.log_prob, system.variance, system.deviation, system.log_p, system.log_prob_unseen,
        system.interval.low, system.interval.high, system.unseen_interval.low})
    EXPECT_TRUE(std::isnan(value));
}

TEST_F(SystemSummary, OneCaptionVariesByNothing) {
  const std::vector<JudgedCaption> captions = {verdict("s", "1", -.7, -1)};
  const JudgedSystem system = summarise(captions, {50, 1}, pool_);
  EXPECT_EQ(system.variance, 0);
  EXPECT_EQ(system.interval.low, -.7);
  EXPECT_EQ(system.interval.high, -.7);
}

TEST_F(SystemSummary, WithoutResamplesThereIsNoInterval) {
  const std::vector<JudgedCaption> captions = {verdict("s", "1", -.25, -1), verdict("s", "2", -.75, -3)};
  const JudgedSystem system = summarise(captions, {0, 1}, pool_);
  EXPECT_EQ(system.log_prob, -.5);
  EXPECT_TRUE(std::isnan(system.interval.low));
  EXPECT_TRUE(std::isnan(compare(captions, captions, false, {0, 1}, pool_).p));
}

// With many values the interval of a mean is close to the normal one: 1.96 standard errors to each side.
TEST_F(SystemSummary, IntervalsAreThoseOfTheMean) {
  std::vector<double> values;
  for (int k = 0; k < 400; ++k) values.push_back(k % 2 == 0 ? 1 : -1);
  const MeanWithInterval mean = mean_with_interval(values, {4000, 9}, pool_);
  EXPECT_EQ(mean.mean, 0);
  EXPECT_NEAR(mean.interval.high, 1.96 / 20, .008);
  EXPECT_NEAR(mean.interval.low, -1.96 / 20, .008);
  ThreadPool many(3);
  EXPECT_EQ(mean_with_interval(values, {4000, 9}, many).interval.high, mean.interval.high);
}

TEST_F(SystemSummary, TwoSystemsAreComparedWhereBothHaveAVerdict) {
  std::vector<JudgedCaption> first = {verdict("a", "1", -.5, -1), verdict("a", "2", -.25, -1),
                                      verdict("a", "3", -.5, -1), verdict("a", "4", -9, -1)};
  std::vector<JudgedCaption> second = {verdict("b", "3", -.75, -1), verdict("b", "2", -1, -1),
                                       skipped("1", kEmptyQuery), verdict("b", "5", -9, -1)};
  for (JudgedCaption& caption : second) caption.system = "b";
  const JudgedPair pair = compare(first, second, false, {1000, 1}, pool_);
  EXPECT_EQ(pair.first, "a");
  EXPECT_EQ(pair.second, "b");
  EXPECT_EQ(pair.images, 2u);         // 2 and 3
  EXPECT_EQ(pair.difference, .5);     // (.75 + .25) / 2
  EXPECT_EQ(pair.interval.low, .25);  // both draws the same image
  EXPECT_EQ(pair.interval.high, .75);
  EXPECT_GT(pair.p, 0);
  EXPECT_LT(pair.p, .1);
  EXPECT_EQ(compare(second, first, false, {1000, 1}, pool_).difference, -.5);
  const JudgedPair same = compare(first, first, false, {1000, 1}, pool_);
  EXPECT_EQ(same.difference, 0);
  EXPECT_EQ(same.p, 1);
}

TEST_F(SystemSummary, UnseenClaimsAreComparedWhenAskedFor) {
  std::vector<JudgedCaption> first = {verdict("a", "1", -.5, -1), skipped("2", kEmptyQuery)};
  std::vector<JudgedCaption> second = {verdict("b", "1", -.5, -1), verdict("b", "2", -1, -1)};
  first[0].log_prob_unseen = -1;
  first[1].unseen.resize(1);
  first[1].log_prob_unseen = -4;
  second[0].log_prob_unseen = -2;
  second[1].log_prob_unseen = -1;
  EXPECT_EQ(compare(first, second, false, {100, 1}, pool_).images, 1u);
  const JudgedPair pair = compare(first, second, true, {100, 1}, pool_);
  EXPECT_EQ(pair.images, 2u);
  EXPECT_EQ(pair.difference, -1);  // (1 - 3) / 2
}

TEST_F(SystemSummary, WithoutCommonImagesThereIsNoDifference) {
  const std::vector<JudgedCaption> first = {verdict("a", "1", -.5, -1)}, second = {verdict("b", "2", -1, -1)};
  const JudgedPair pair = compare(first, second, false, {100, 1}, pool_);
  EXPECT_EQ(pair.images, 0u);
  EXPECT_TRUE(std::isnan(pair.difference));
  EXPECT_TRUE(std::isnan(pair.p));
}

}  // namespace
}  // namespace capella::method::mln
