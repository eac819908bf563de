#include "reference/encoder_scores_reference.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "reference/transport_reference.h"

namespace capella::reference {
namespace {

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double length(const Vector& a) {
  return std::sqrt(dot(a, a));
}

Vector of_length_1(Vector vector) {
  const double norm = length(vector);
  for (double& number : vector) number /= norm;
  return vector;
}

bool is_special(const TokenText& text, std::size_t i) {
  return text.tokens[i] == text.tokens.front() || text.tokens[i] == text.tokens.back();
}

// How well the tokens of `text` are found in `other`.
double coverage(const TokenText& text, const TokenText& other, const Rarity* rarity) {
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    if (is_special(text, i)) continue;
    double best = -1;
    for (const Vector& vector : other.vectors) best = std::max(best, cosine(text.vectors[i], vector));
    const double weight = rarity == nullptr ? 1 : (*rarity)(text.tokens[i]);
    sum += weight * best;
    weights += weight;
  }
  return weights == 0 ? 0 : sum / weights;
}

struct Piece {
  Vector vector;
  double weight;
};

std::vector<Piece> pieces_that_count(const TokenText& text, const Rarity* rarity, bool drops_subwords) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const std::string& token = text.tokens[i];
    const bool sign = token.size() == 1 && std::ispunct(static_cast<unsigned char>(token[0])) != 0;
    if (sign || (drops_subwords && token.starts_with("##"))) continue;
    const double weight = rarity == nullptr ? 1 : (*rarity)(token);
    if (weight > 0) pieces.push_back({of_length_1(text.vectors[i]), weight});
  }
  return pieces;
}

std::vector<std::int64_t> amounts(const std::vector<Piece>& pieces, std::int64_t whole) {
  double total = 0;
  for (const Piece& piece : pieces) total += piece.weight;
  std::vector<std::int64_t> made;
  std::int64_t left = whole;
  for (const Piece& piece : pieces) {
    made.push_back(std::llround(piece.weight / total * static_cast<double>(whole)));
    left -= made.back();
  }
  *std::max_element(made.begin(), made.end()) += left;
  return made;
}

}  // namespace

double cosine(const Vector& a, const Vector& b) {
  return dot(a, b) / (length(a) * length(b));
}

Vector centroid(const std::vector<Vector>& vectors) {
  Vector sum(vectors[0].size());
  for (const Vector& vector : vectors) {
    const Vector direction = of_length_1(vector);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += direction[i];
  }
  return sum;
}

Rarity::Rarity(const std::vector<std::vector<std::string>>& texts)
    : texts_(static_cast<double>(texts.size())) {
  for (const auto& text : texts) {
    for (const std::string& token : std::set<std::string>(text.begin(), text.end())) ++found_[token];
  }
}

double Rarity::operator()(const std::string& token) const {
  const auto known = found_.find(token);
  return std::log((texts_ + 1) / ((known == found_.end() ? 0 : known->second) + 1));
}

BertScores bertscore(const TokenText& caption, const TokenText& reference, const Rarity* rarity) {
  if (caption.tokens.size() < 3 || reference.tokens.size() < 3) return {};
  BertScores scores;
  scores.precision = coverage(caption, reference, rarity);
  scores.recall = coverage(reference, caption, rarity);
  const double sum = scores.precision + scores.recall;
  scores.f = sum == 0 ? 0 : 2 * scores.precision * scores.recall / sum;
  return scores;
}

TokenText spread_over_layers(const std::vector<TokenText>& layers) {
  TokenText made{layers[0].tokens, {}};
  for (std::size_t t = 0; t < made.tokens.size(); ++t) {
    Vector least, mean, greatest;
    for (std::size_t i = 0; i < layers[0].vectors[t].size(); ++i) {
      Vector values;
      for (const TokenText& layer : layers) values.push_back(of_length_1(layer.vectors[t])[i]);
      double sum = 0;
      for (const double value : values) sum += value;
      least.push_back(*std::min_element(values.begin(), values.end()));
      mean.push_back(sum / static_cast<double>(values.size()));
      greatest.push_back(*std::max_element(values.begin(), values.end()));
    }
    Vector& all = made.vectors.emplace_back(least);
    all.insert(all.end(), mean.begin(), mean.end());
    all.insert(all.end(), greatest.begin(), greatest.end());
  }
  return made;
}

std::optional<double> mover_distance(const TokenText& caption, const TokenText& reference,
                                     const Rarity* rarity, bool squared, bool drops_subwords) {
  constexpr std::int64_t kWhole = 1'000'000'000'000;
  const auto from = pieces_that_count(caption, rarity, drops_subwords);
  const auto to = pieces_that_count(reference, rarity, drops_subwords);
  if (from.empty() || to.empty()) return std::nullopt;
  TransportProblem<double> problem{amounts(from, kWhole), amounts(to, kWhole), {}};
  for (const Piece& a : from) {
    for (const Piece& b : to) {
      double square = 0;
      for (std::size_t i = 0; i < a.vector.size(); ++i) square += std::pow(a.vector[i] - b.vector[i], 2);
      problem.costs.push_back(squared ? square : std::sqrt(square));
    }
  }
  return least_cost(problem) / static_cast<double>(kWhole);
}

}  // namespace capella::reference
