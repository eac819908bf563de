#include "reference/rouge_1_reference.h"

#include <algorithm>

#include "reference/pairwise_sum_reference.h"
#include "reference/words_reference.h"

namespace capella::reference {
namespace {

// Each word of the reference takes a word of the caption away, if it is there.
double recall(const std::string& caption, const std::string& reference) {
  std::vector<std::string> left = python_words(caption);
  const std::vector<std::string> words = python_words(reference);
  int found = 0;
  for (const std::string& word : words) {
    const auto place = std::find(left.begin(), left.end(), word);
    if (place == left.end()) continue;
    left.erase(place);
    ++found;
  }
  return words.empty() ? 0.0 : found / static_cast<double>(words.size());
}

}  // namespace

MeanScores rouge_1_recall(const std::vector<Item>& items) {
  MeanScores scores;
  for (const Item& item : items) {
    double best = 0.0;
    for (const std::string& reference : item.references)
      best = std::max(best, recall(item.caption, reference));
    scores.items.push_back(best);
  }
  scores.corpus = mean(scores.items);
  return scores;
}

}  // namespace capella::reference
