// What cosines with several references come to.
#include "metric/reference_cosines.h"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "metric/cosine.h"

namespace capella::metric {
namespace {

encoder::Features features(std::size_t width, std::vector<float> values) {
  return {width, std::move(values), {}};
}

// Of the first vector with all that follow.
CosineSummary summary_of(const encoder::Features& vectors) {
  std::vector<double> cosines;
  for (std::size_t r = 1; r < vectors.size(); ++r) cosines.push_back(cosine(vectors.row(0), vectors.row(r)));
  return summarize(cosines, unity(vectors, 1, vectors.size()));
}

TEST(ReferenceCosines, TheCentroidPointsBetweenItsDirections) {
  const CosineSummary found = summary_of(features(2, {2, 2, /**/ 5, 0, /**/ 0, .1f}));
  EXPECT_NEAR(found.centroid, 1, 1e-15);  // lengths of references count nothing
  EXPECT_NEAR(found.max, std::sqrt(.5), 1e-15);
  EXPECT_NEAR(found.mean, std::sqrt(.5), 1e-15);
}

TEST(ReferenceCosines, OneReferencesCentroidIsItself) {
  const CosineSummary found = summary_of(features(3, {.3f, -.2f, .9f, /**/ .7f, .1f, -.4f}));
  EXPECT_EQ(found.centroid, found.max);
  EXPECT_EQ(summary_of(features(2, {.3f, .7f, /**/ .3f, .7f})).centroid, 1);
}

TEST(ReferenceCosines, EqualReferencesAreAsGoodAsOne) {
  const std::vector<float> one = {.3f, -.2f, .9f};
  std::vector<float> values = {.7f, .1f, -.4f};
  for (int i = 0; i < 50; ++i) values.insert(values.end(), one.begin(), one.end());
  const CosineSummary found = summary_of(features(3, std::move(values)));
  EXPECT_NEAR(found.centroid, found.max, 1e-14);
}

TEST(ReferenceCosines, OppositeReferencesHaveNoCentroid) {
  EXPECT_EQ(summary_of(features(2, {.3f, .7f, /**/ .1f, .9f, /**/ -.1f, -.9f})).centroid, 0);
  EXPECT_EQ(summary_of(features(2, {.3f, .7f, /**/ 0, 0})).centroid, 0);
  EXPECT_EQ(summary_of(features(2, {0, 0, /**/ .3f, .7f})).centroid, 0);
  // Three that cancel each other but for rounding.
  const float third = std::sqrt(3.f) / 2;
  EXPECT_EQ(summary_of(features(2, {1, 0, /**/ 1, 0, /**/ -.5f, third, /**/ -.5f, -third})).centroid, 0);
}

TEST(ReferenceCosines, AReferenceWithoutDirectionAddsNothing) {
  EXPECT_NEAR(summary_of(features(2, {.3f, .7f, /**/ 0, 0, /**/ .3f, .7f})).centroid, 1, 1e-15);
}

TEST(ReferenceCosines, NoReferenceIsTheFarthest) {
  const CosineSummary found = summary_of(features(2, {.3f, .7f}));
  EXPECT_EQ(found.max, -1);
  EXPECT_EQ(found.mean, -1);
  EXPECT_EQ(found.centroid, -1);
}

TEST(ReferenceCosines, SharesSumToTheMeanOfNearestAndCentroid) {
  const std::vector<double> cosines = {.9, .2, -.4};
  const double agreed = .6;
  const std::vector<double> shares = max_and_centroid_shares(cosines, agreed);
  const double whole = summarize(cosines, agreed).max_and_centroid();
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), whole, 1e-15);
  EXPECT_NEAR(whole, (.9 + .7 / (3 * .6)) / 2, 1e-15);
  EXPECT_NEAR(shares[0], .9 / (3 * .6) / 2 + .45, 1e-15);
  EXPECT_NEAR(shares[1], .2 / (3 * .6) / 2, 1e-15);
  EXPECT_EQ(max_and_centroid_shares(cosines, 0), (std::vector<double>{.45, 0, 0}));
  EXPECT_TRUE(max_and_centroid_shares({}, 0).empty());
}

}  // namespace
}  // namespace capella::metric
