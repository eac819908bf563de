// The tree search against all trees of few words, and on long sentences against what a tree must be.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "reference/projective_tree_reference.h"
#include "syntax/projective_tree.h"

namespace capella::test {
namespace {

using Scores = std::vector<std::vector<float>>;

// Few different scores, so that there are ties.
Scores random_scores(std::size_t words, int kinds) {
  const auto score =
      rc::gen::map(rc::gen::inRange(-kinds, kinds + 1), [](int i) { return static_cast<float>(i) / 8.0f; });
  return *rc::gen::container<Scores>(words + 1, rc::gen::container<std::vector<float>>(words + 1, score));
}

std::vector<int> find(const Scores& scores) {
  std::vector<float> flat;
  for (const auto& row : scores) flat.insert(flat.end(), row.begin(), row.end());
  syntax::ProjectiveTreeSearch search;
  return search.find(syntax::ArcScores(flat.data(), scores.size(), scores.size() - 1));
}

double sum(const Scores& scores, const std::vector<int>& heads) {
  double total = 0;
  for (std::size_t word = 1; word < heads.size(); ++word)
    total += scores[word][static_cast<std::size_t>(heads[word])];
  return total;
}

TEST(ProjectiveTree, IsTheBestOfAllTrees) {
  EXPECT_TRUE(rc::check("Eisner = brute force", [] {
    const Scores scores = random_scores(*rc::gen::inRange<std::size_t>(1, 6), *rc::gen::element(2, 1000));
    const std::vector<int> heads = find(scores);
    RC_ASSERT(reference::is_projective(heads));
    RC_ASSERT(sum(scores, heads) == reference::best_projective_score(scores));
  }));
}

TEST(ProjectiveTree, OfSixWords) {
  EXPECT_TRUE(rc::check("six words", [] {
    const Scores scores = random_scores(6, 1000);
    RC_ASSERT(sum(scores, find(scores)) == reference::best_projective_score(scores));
  }));
}

TEST(ProjectiveTree, OfManyWordsIsProjectiveAndNoSwapOfOneHeadIsBetter) {
  EXPECT_TRUE(rc::check("long sentences", [] {
    const Scores scores = random_scores(*rc::gen::inRange<std::size_t>(10, 60), 1000);
    std::vector<int> heads = find(scores);
    RC_ASSERT(reference::is_projective(heads));
    const double best = sum(scores, heads);
    for (std::size_t word = 1; word < heads.size(); ++word) {
      const int head = heads[word];
      for (heads[word] = 0; heads[word] < static_cast<int>(heads.size()); ++heads[word]) {
        if (heads[word] == static_cast<int>(word)) continue;
        RC_ASSERT(sum(scores, heads) <= best || !reference::is_projective(heads));
      }
      heads[word] = head;
    }
  }));
}

TEST(ProjectiveTree, RecognisesProjectiveTrees) {
  EXPECT_TRUE(rc::check("is_projective_tree = definition", [] {
    const int words = *rc::gen::inRange(1, 7);
    std::vector<int> heads = *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(words + 1),
                                                                   rc::gen::inRange(0, words + 1));
    heads[0] = 0;
    RC_ASSERT(syntax::is_projective_tree(heads) == reference::is_projective(heads));
  }));
}

}  // namespace
}  // namespace capella::test
