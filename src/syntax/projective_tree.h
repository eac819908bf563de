// The best projective dependency tree for given scores of all pairs of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace capella::syntax {

/// Scores of heads: at(i, j) is the score of word i, from 1, with head j; head 0 is ROOT.
class ArcScores {
 public:
  /// `scores` has a row for each position from 0 (ROOT, not looked at) to `words`.
  ArcScores(const float* scores, std::size_t stride, std::size_t words)
      : scores_(scores), stride_(stride), words_(words) {}

  std::size_t words() const { return words_; }
  float at(std::size_t word, std::size_t head) const { return scores_[word * stride_ + head]; }

 private:
  const float* scores_;
  std::size_t stride_;
  std::size_t words_;
};

/// Finds trees; keeps its tables from sentence to sentence, so one per thread.
class ProjectiveTreeSearch {
 public:
  /// The heads of words 1..n (at [0] stands 0) in the projective tree with exactly one child of ROOT whose
  /// sum of scores is highest. First each word takes its best head, the lowest of equals; if that is such a
  /// tree it is the answer. If not, Eisner's algorithm (1996) finds it in n^3 steps.
  const std::vector<int>& find(const ArcScores& scores);

 private:
  bool take_best_heads(const ArcScores& scores);
  void fill(const ArcScores& scores);
  void join(const ArcScores& scores, std::size_t left, std::size_t right);
  std::size_t best_root(const ArcScores& scores) const;
  void read_heads(std::size_t root);
  std::size_t cell(std::size_t head, std::size_t end) const { return head * side_ + end; }

  // Best scores of spans. complete: at (head, end) all words from the head to the end are below the head.
  // incomplete: at (head, dependent) there is that arc, and all words between are below one of the two.
  // The cuts say of which two spans the best one is made.
  std::size_t side_ = 0;
  std::vector<double> complete_;
  std::vector<double> incomplete_;
  std::vector<std::uint32_t> complete_cut_;
  std::vector<std::uint32_t> incomplete_cut_;
  std::vector<int> heads_;
};

/// True if heads[1..n] is a projective tree with exactly one word whose head is 0.
bool is_projective_tree(const std::vector<int>& heads);

}  // namespace capella::syntax
