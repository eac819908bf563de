#include "reference/mowe_reference.h"

#include <algorithm>
#include <cmath>

#include "reference/pairwise_sum_reference.h"
#include "reference/words_reference.h"

namespace capella::reference {
namespace {

// The mean of the content words' vectors; nothing if no word has one.
std::vector<double> mean_vector(const std::string& text, const NamedVectors& vectors,
                                const std::set<std::string>& stop_words) {
  std::vector<double> mean;
  double words = 0;
  for (const std::string& word : space_pieces(text)) {
    const auto found = vectors.find(word);
    if (stop_words.contains(word) || found == vectors.end()) continue;
    mean.resize(found->second.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += static_cast<double>(found->second[i]);
    ++words;
  }
  for (double& number : mean) number /= words;
  return mean;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return -1;
  const double lengths = std::sqrt(product(a, a)) * std::sqrt(product(b, b));
  return lengths == 0 ? -1 : product(a, b) / lengths;
}

}  // namespace

MeanScores mowe(const std::vector<Item>& items, const NamedVectors& vectors,
                const std::set<std::string>& stop_words) {
  MeanScores scores;
  for (const Item& item : items) {
    const std::vector<double> caption = mean_vector(item.caption, vectors, stop_words);
    double best = -1;
    for (const std::string& reference : item.references)
      best = std::max(best, cosine(caption, mean_vector(reference, vectors, stop_words)));
    scores.items.push_back(best);
  }
  scores.corpus = mean(scores.items);
  return scores;
}

}  // namespace capella::reference
