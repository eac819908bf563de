#include "reference/chrf_reference.h"

#include <map>

#include "reference/words_reference.h"

namespace capella::reference {
namespace {

using Strings = std::vector<std::string>;

// For one order: n-grams of the caption, of the reference, and common to both.
struct Overlap {
  double caption = 0, reference = 0, common = 0;
};
using Statistics = std::vector<Overlap>;

bool is_punctuation(char c) {
  return std::string("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(c) != std::string::npos;
}

Strings characters_without_space(const std::string& text) {
  Strings kept;
  for (const std::string& character : characters(text)) {
    if (!is_space(character)) kept.push_back(character);
  }
  return kept;
}

Strings words_and_punctuation(const std::string& text) {
  Strings parts;
  for (const std::string& word : python_words(text)) {
    if (characters(word).size() == 1) {
      parts.push_back(word);
    } else if (is_punctuation(word.back())) {
      parts.insert(parts.end(), {word.substr(0, word.size() - 1), word.substr(word.size() - 1)});
    } else if (is_punctuation(word.front())) {
      parts.insert(parts.end(), {word.substr(0, 1), word.substr(1)});
    } else {
      parts.push_back(word);
    }
  }
  return parts;
}

Overlap overlap(const Strings& caption, const Strings& reference, std::size_t n) {
  std::map<std::string, std::pair<int, int>> counts;
  for (const std::string& ngram : ngrams(caption, n)) ++counts[ngram].first;
  for (const std::string& ngram : ngrams(reference, n)) ++counts[ngram].second;
  Overlap found;
  for (const auto& [ngram, both] : counts) {
    found.caption += both.first;
    found.reference += both.second;
    found.common += both.first < both.second ? both.first : both.second;
  }
  if (found.reference == 0) found.caption = 0;
  return found;
}

Statistics compare(const std::string& caption, const std::string& reference, const ChrfOptions& options) {
  Statistics statistics;
  for (std::size_t n = 1; n <= options.char_order; ++n) {
    statistics.push_back(overlap(characters_without_space(caption), characters_without_space(reference), n));
  }
  for (std::size_t n = 1; n <= options.word_order; ++n) {
    statistics.push_back(overlap(words_and_punctuation(caption), words_and_punctuation(reference), n));
  }
  return statistics;
}

double f_score(const Statistics& statistics, double beta) {
  double p = 0, r = 0, orders = 0;
  for (const Overlap& o : statistics) {
    if (o.caption > 0 && o.reference > 0) {
      p += o.common / o.caption;
      r += o.common / o.reference;
      orders += 1;
    }
  }
  if (p + r == 0) return 0.0;
  p /= orders;
  r /= orders;
  return 100 * ((1 + beta * beta) * p * r / (beta * beta * p + r));  // rounded as sacreBLEU does: ties decide
}

}  // namespace

ChrfScores chrf(const std::vector<Item>& items, const ChrfOptions& options) {
  ChrfScores scores;
  Statistics sums(options.char_order + options.word_order);
  for (const Item& item : items) {
    Statistics best;
    for (const std::string& reference : item.references) {
      const Statistics statistics = compare(item.caption, reference, options);
      if (best.empty() || f_score(statistics, options.beta) > f_score(best, options.beta)) best = statistics;
    }
    scores.items.push_back(f_score(best, options.beta));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i].caption += best[i].caption;
      sums[i].reference += best[i].reference;
      sums[i].common += best[i].common;
    }
  }
  scores.corpus = f_score(sums, options.beta);
  return scores;
}

}  // namespace capella::reference
