// Trees by hand.
#include "syntax/projective_tree.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace capella::syntax {
namespace {

// Rows are words from 1, columns are heads from 0.
std::vector<int> find(const std::vector<std::vector<float>>& rows) {
  std::vector<float> flat(rows.size() + 1, 0.0f);
  for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  ProjectiveTreeSearch search;
  return search.find(ArcScores(flat.data(), rows.size() + 1, rows.size()));
}

TEST(ProjectiveTree, OfNoWordAndOfOne) {
  EXPECT_EQ(find({}), std::vector<int>{0});
  EXPECT_EQ(find({{-5, 9}}), (std::vector<int>{0, 0}));
}

TEST(ProjectiveTree, TakesBestHeadsIfTheyAreATree) {
  EXPECT_EQ(find({{1, 0, 5, 0}, {7, 0, 0, 0}, {0, 1, 6, 0}}), (std::vector<int>{0, 2, 0, 2}));
}

TEST(ProjectiveTree, HasOneChildOfRootThoughTwoWouldScoreMore) {
  EXPECT_EQ(find({{9, 0, 1}, {8, 3, 0}}), (std::vector<int>{0, 0, 1}));
}

TEST(ProjectiveTree, BreaksCycles) {
  EXPECT_EQ(find({{1, 0, 9}, {3, 9, 0}}), (std::vector<int>{0, 2, 0}));
}

TEST(ProjectiveTree, AvoidsCrossingArcs) {
  // Best heads are 1 <- 3, 2 <- 4, 3 <- 0, 4 <- 3: the first two cross. Of the ways out, 2 <- 3 costs least.
  const std::vector<std::vector<float>> scores = {
      {0, 0, 0, 9, 0}, {0, 0, 0, 6, 7}, {9, 0, 0, 0, 0}, {0, 0, 0, 9, 0}};
  EXPECT_EQ(find(scores), (std::vector<int>{0, 3, 3, 0, 3}));
}

TEST(ProjectiveTree, IsATreeEvenForScoresThatAreNoNumbers) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(is_projective_tree(find({{none, none, none}, {none, none, none}})));
  const float low = -std::numeric_limits<float>::infinity();
  EXPECT_TRUE(is_projective_tree(find({{low, low, low}, {low, low, low}})));
}

TEST(ProjectiveTree, SearchServesSentencesOfAllLengths) {
  ProjectiveTreeSearch search;
  for (const std::size_t words : {5, 200, 3}) {
    const std::vector<float> equal((words + 1) * (words + 1), 1.0f);
    EXPECT_TRUE(is_projective_tree(search.find(ArcScores(equal.data(), words + 1, words))));
  }
}

}  // namespace
}  // namespace capella::syntax
