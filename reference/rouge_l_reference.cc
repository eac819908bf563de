#include "reference/rouge_l_reference.h"

#include <algorithm>

#include "reference/pairwise_sum_reference.h"
#include "reference/words_reference.h"

namespace capella::reference {
namespace {

double score(const Item& item) {
  const std::vector<std::string> caption = space_pieces(item.caption);
  std::vector<double> precisions, recalls;
  for (const std::string& reference : item.references) {
    const std::vector<std::string> words = space_pieces(reference);
    const auto common = static_cast<double>(lcs_length(caption, words));
    precisions.push_back(common / static_cast<double>(caption.size()));
    recalls.push_back(common / static_cast<double>(words.size()));
  }
  const double p = *std::max_element(precisions.begin(), precisions.end());
  const double r = *std::max_element(recalls.begin(), recalls.end());
  const double beta = 1.2;
  if (p == 0 || r == 0) return 0.0;
  return ((1 + beta * beta) * p * r) / (r + beta * beta * p);
}

}  // namespace

MeanScores rouge_l(const std::vector<Item>& items) {
  MeanScores scores;
  for (const Item& item : items) scores.items.push_back(score(item));
  scores.corpus = mean(scores.items);
  return scores;
}

}  // namespace capella::reference
