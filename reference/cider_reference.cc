#include "reference/cider_reference.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "reference/pairwise_sum_reference.h"
#include "reference/words_reference.h"

namespace capella::reference {
namespace {

constexpr double kE = 2.718281828459045;

using Vector = std::map<std::string, double>;

// tf-idf weights of a text's n-grams of order n.
Vector weigh(const std::string& text, std::size_t n, const DocumentFrequencies& frequencies) {
  std::map<std::string, double> counts;
  for (const std::string& ngram : ngrams(python_words(text), n)) counts[ngram] += 1;
  Vector weights;
  for (const auto& [ngram, count] : counts) {
    const auto found = frequencies.counts.find(ngram);
    const double df = found == frequencies.counts.end() ? 0.0 : found->second;
    weights[ngram] = count * (std::log(frequencies.documents) - std::log(std::max(1.0, df)));
  }
  return weights;
}

double norm(const Vector& vector) {
  double squares = 0;
  for (const auto& [ngram, weight] : vector) squares += weight * weight;
  return std::sqrt(squares);
}

double similarity(const Vector& caption, const Vector& reference, bool clip) {
  double sum = 0;
  for (const auto& [ngram, weight] : caption) {
    const auto found = reference.find(ngram);
    const double other = found == reference.end() ? 0.0 : found->second;
    sum += (clip ? std::min(weight, other) : weight) * other;
  }
  const double norms = norm(caption) * norm(reference);
  return norms == 0 ? sum : sum / norms;
}

double bigrams(const std::string& text) {
  return static_cast<double>(ngrams(python_words(text), 2).size());
}

double gaussian(const std::string& caption, const std::string& reference) {
  const double delta = bigrams(caption) - bigrams(reference);
  return std::pow(kE, -(delta * delta) / (2 * 6.0 * 6.0));
}

double repetition(const std::string& caption, const std::string& reference) {
  std::map<std::string, double> in_caption, in_reference;
  for (const std::string& word : word_runs(caption)) in_caption[word] += 1;
  for (const std::string& word : word_runs(reference)) in_reference[word] += 1;
  if (in_caption.empty()) return 0.0;  // the published program gives not-a-number
  std::vector<double> logs;
  for (const auto& [word, count] : in_caption) {
    const double x = in_reference.contains(word) ? std::abs(in_reference[word] - count) : count - 1;
    logs.push_back(std::log(1 / (1 + x)));
  }
  return std::exp(mean(logs));
}

double relative_length(const std::string& caption, const std::string& reference) {
  const double expected = bigrams(reference) + 1;
  const double difference = expected - (bigrams(caption) + 1);
  return std::pow(kE, -(difference * difference) / (expected * expected));
}

double factor(Cider kind, const std::string& caption, const std::string& reference) {
  switch (kind) {
    case Cider::d:
      return gaussian(caption, reference);
    case Cider::r:
      return std::pow(repetition(caption, reference), 0.8) *
             std::pow(relative_length(caption, reference), 0.2);
    case Cider::plain:
      break;
  }
  return 1.0;
}

double score(Cider kind, const Item& item, const DocumentFrequencies& frequencies) {
  double sum = 0;
  for (std::size_t n = 1; n <= 4; ++n) {
    for (const std::string& reference : item.references) {
      sum += similarity(weigh(item.caption, n, frequencies), weigh(reference, n, frequencies),
                        kind != Cider::plain) *
             factor(kind, item.caption, reference);
    }
  }
  return sum / 4 / static_cast<double>(item.references.size()) * 10;
}

}  // namespace

DocumentFrequencies count_document_frequencies(const std::vector<Item>& items) {
  DocumentFrequencies frequencies;
  frequencies.documents = static_cast<double>(items.size());
  for (const Item& item : items) {
    std::set<std::string> present;
    for (const std::string& reference : item.references) {
      for (std::size_t n = 1; n <= 4; ++n) {
        for (const std::string& ngram : ngrams(python_words(reference), n)) present.insert(ngram);
      }
    }
    for (const std::string& ngram : present) frequencies.counts[ngram] += 1;
  }
  return frequencies;
}

MeanScores cider(Cider kind, const std::vector<Item>& items, const DocumentFrequencies& frequencies) {
  MeanScores scores;
  for (const Item& item : items) scores.items.push_back(score(kind, item, frequencies));
  scores.corpus = mean(scores.items);
  return scores;
}

MeanScores cider(Cider kind, const std::vector<Item>& items) {
  return cider(kind, items, count_document_frequencies(items));
}

}  // namespace capella::reference
