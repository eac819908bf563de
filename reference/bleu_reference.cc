#include "reference/bleu_reference.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "reference/words_reference.h"

namespace capella::reference {
namespace {

using Words = std::vector<std::string>;

std::map<std::string, int> count_ngrams(const Words& words, std::size_t n) {
  std::map<std::string, int> counts;
  for (const std::string& ngram : ngrams(words, n)) ++counts[ngram];
  return counts;
}

double closest_length(const Words& caption, const std::vector<Words>& references) {
  std::vector<std::pair<double, double>> choices;  // distance, then length: ties go to the shorter
  for (const Words& reference : references) {
    const auto length = static_cast<double>(reference.size());
    choices.emplace_back(std::abs(length - static_cast<double>(caption.size())), length);
  }
  return std::min_element(choices.begin(), choices.end())->second;
}

double count_correct(const Words& caption, const std::vector<Words>& references, std::size_t n) {
  std::map<std::string, int> most;
  for (const Words& reference : references) {
    for (const auto& [ngram, count] : count_ngrams(reference, n)) most[ngram] = std::max(most[ngram], count);
  }
  int correct = 0;
  for (const auto& [ngram, count] : count_ngrams(caption, n)) correct += std::min(count, most[ngram]);
  return correct;
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  length += other.length;
  reference_length += other.reference_length;
  for (std::size_t k = 0; k < 4; ++k) {
    guessed[k] += other.guessed[k];
    correct[k] += other.correct[k];
  }
  return *this;
}

BleuCounts count_bleu(const Words& caption, const std::vector<Words>& references) {
  BleuCounts counts;
  counts.length = static_cast<double>(caption.size());
  counts.reference_length = closest_length(caption, references);
  for (std::size_t n = 1; n <= 4; ++n) {
    counts.guessed[n - 1] = std::max(0.0, counts.length - static_cast<double>(n) + 1);
    counts.correct[n - 1] = count_correct(caption, references, n);
  }
  return counts;
}

BleuCounts count_bleu(const Item& item) {
  std::vector<Words> references;
  for (const std::string& reference : item.references) references.push_back(python_words(reference));
  return count_bleu(python_words(item.caption), references);
}

std::array<double, 4> bleu(const BleuCounts& counts) {
  std::array<double, 4> scores{};
  double product = 1;
  for (std::size_t k = 0; k < 4; ++k) {
    product *= (counts.correct[k] + 1e-15) / (counts.guessed[k] + 1e-9);
    scores[k] = std::pow(product, 1.0 / static_cast<double>(k + 1));
  }
  const double ratio = (counts.length + 1e-15) / (counts.reference_length + 1e-9);
  if (ratio < 1) {
    for (double& score : scores) score *= std::exp(1 - 1 / ratio);
  }
  return scores;
}

}  // namespace capella::reference
