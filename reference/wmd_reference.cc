#include "reference/wmd_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/pairwise_sum_reference.h"
#include "reference/transport_reference.h"
#include "reference/words_reference.h"

namespace capella::reference {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
using Counts = std::map<std::string, std::int64_t>;

Words that_count(const Words& words, const Vectors& vectors) {
  Words kept;
  for (const std::string& word : words) {
    if (vectors.contains(word)) kept.push_back(word);
  }
  return kept;
}

Counts count(const Words& words) {
  Counts counts;
  for (const std::string& word : words) ++counts[word];
  return counts;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  long double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const long double difference = static_cast<long double>(a[k]) - static_cast<long double>(b[k]);
    sum += difference * difference;
  }
  return static_cast<double>(std::sqrt(sum));
}

// numpy's sum of floats: eight lanes for up to 128 of them, halves for more.
float float_sum(const std::vector<float>& values, std::size_t begin, std::size_t end) {
  const std::size_t size = end - begin;
  float sum = 0;
  if (size < 8) {
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    return sum;
  }
  if (size > 128) {
    const std::size_t middle = begin + size / 2 - size / 2 % 8;
    return float_sum(values, begin, middle) + float_sum(values, middle, end);
  }
  float lane[8] = {};
  const std::size_t whole = begin + size / 8 * 8;
  for (std::size_t i = begin; i < whole; ++i) lane[(i - begin) % 8] += values[i];
  sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  for (std::size_t i = whole; i < end; ++i) sum += values[i];
  return sum;
}

float float_distance(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> squares;
  for (std::size_t k = 0; k < a.size(); ++k) squares.push_back((a[k] - b[k]) * (a[k] - b[k]));
  return std::sqrt(float_sum(squares, 0, squares.size()));
}

// The words of both texts, each once, as they come.
Words dictionary(const Words& a, const Words& b) {
  Words words;
  for (const Words* text : {&a, &b}) {
    for (const std::string& word : *text) {
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
  }
  return words;
}

std::int64_t round(double value) {
  return static_cast<std::int64_t>(std::floor(value + 0.5));
}

// pyemd on full matrices: a word that a text does not have has share 0 there and costs nothing.
double pyemd(std::vector<double> p, std::vector<double> q, const std::vector<double>& costs) {
  double sum_p = 0, sum_q = 0;
  for (const double x : p) sum_p += x;
  for (const double x : q) sum_q += x;
  const double dearest = *std::max_element(costs.begin(), costs.end());
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] < q[i]) {
      q[i] -= p[i];
      p[i] = 0;
    } else {
      p[i] -= q[i];
      q[i] = 0;
    }
  }
  const double k = 1e6 / std::max(sum_p, sum_q), c = 1e6 / dearest;
  TransportProblem<std::int64_t> problem;
  std::int64_t more = 0;  // what the sources have more than the sinks
  for (const double x : p) more += problem.supply.emplace_back(round(x * k));
  for (const double x : q) more -= problem.demand.emplace_back(round(x * k));
  problem.supply.push_back(std::max<std::int64_t>(-more, 0));
  problem.demand.push_back(std::max<std::int64_t>(more, 0));
  for (std::size_t i = 0; i <= p.size(); ++i) {
    for (std::size_t j = 0; j <= q.size(); ++j) {
      const bool real = i < p.size() && j < q.size();
      problem.costs.push_back(real ? round(costs[i * q.size() + j] * c) : 0);
    }
  }
  return static_cast<double>(least_cost(problem)) / k / c + std::abs(sum_p - sum_q) * dearest;
}

}  // namespace

double wmd(const Words& a, const Words& b, const Vectors& vectors) {
  const Words first = that_count(a, vectors), second = that_count(b, vectors);
  if (first.empty() || second.empty()) return kInfinite;
  TransportProblem<double> problem;
  const Counts from = count(first), to = count(second);
  const auto n = static_cast<std::int64_t>(first.size()), m = static_cast<std::int64_t>(second.size());
  for (const auto& [word, times] : from) problem.supply.push_back(times * m);
  for (const auto& [word, times] : to) problem.demand.push_back(times * n);
  for (const auto& source : from) {
    for (const auto& sink : to)
      problem.costs.push_back(distance(vectors.at(source.first), vectors.at(sink.first)));
  }
  return least_cost(problem) / static_cast<double>(n * m);
}

double gensim3_wmd(const Words& a, const Words& b, const Vectors& vectors) {
  const Words first = that_count(a, vectors), second = that_count(b, vectors);
  if (first.empty() || second.empty()) return kInfinite;
  const Counts from = count(first), to = count(second);
  const Words words = dictionary(first, second);
  if (words.size() == 1) return 0.0;
  std::vector<double> p, q, costs;
  for (const std::string& word : words) {
    const auto share = [&word](const Counts& counts, std::size_t length) {
      const auto found = counts.find(word);
      return found == counts.end() ? 0.0 : static_cast<double>(found->second) / static_cast<double>(length);
    };
    p.push_back(share(from, first.size()));
    q.push_back(share(to, second.size()));
    for (const std::string& other : words) {
      const bool counts = from.contains(word) && to.contains(other);
      costs.push_back(counts ? double{float_distance(vectors.at(word), vectors.at(other))} : 0.0);
    }
  }
  if (std::all_of(costs.begin(), costs.end(), [](double x) { return x == 0.0; })) return kInfinite;
  return pyemd(p, q, costs);
}

double relaxed_wmd(const Words& a, const Words& b, const Vectors& vectors) {
  const Words from = that_count(a, vectors), to = that_count(b, vectors);
  double sum = 0;
  for (const std::string& word : from) {
    double least = kInfinite;
    for (const std::string& other : to)
      least = std::min(least, distance(vectors.at(word), vectors.at(other)));
    sum += least;
  }
  return sum / static_cast<double>(from.size());
}

double centroid_distance(const Words& a, const Words& b, const Vectors& vectors) {
  const Words from = that_count(a, vectors), to = that_count(b, vectors);
  double squares = 0;
  for (std::size_t k = 0; k < vectors.begin()->second.size(); ++k) {
    double x = 0, y = 0;
    for (const std::string& word : from) x += vectors.at(word)[k];
    for (const std::string& word : to) y += vectors.at(word)[k];
    const double difference = x / static_cast<double>(from.size()) - y / static_cast<double>(to.size());
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

Vectors unit_vectors(Vectors vectors) {
  for (auto& [word, vector] : vectors) {
    std::vector<float> squares;
    for (const float x : vector) squares.push_back(x * x);
    const float length = std::sqrt(float_sum(squares, 0, squares.size()));
    for (float& x : vector) x = length == 0 ? x : x / length;
  }
  return vectors;
}

MeanScores wmd_scores(const std::vector<Item>& items, const Vectors& vectors, bool gensim3) {
  MeanScores scores;
  for (const Item& item : items) {
    double best = 0;
    for (const std::string& reference : item.references) {
      const Words a = space_pieces(item.caption), b = space_pieces(reference);
      best = std::max(best, std::exp(-(gensim3 ? gensim3_wmd(a, b, vectors) : wmd(a, b, vectors))));
    }
    scores.items.push_back(best);
  }
  scores.corpus = mean(scores.items);
  return scores;
}

}  // namespace capella::reference
