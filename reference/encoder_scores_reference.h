// Sentence-cosine, BERTScore and MoverScore from their definitions, on vectors.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace capella::reference {

using Vector = std::vector<double>;

/// A text: its tokens as the vocabulary writes them, special ones at both ends, and their vectors, of any
/// length.
struct TokenText {
  std::vector<std::string> tokens;
  std::vector<Vector> vectors;
};

double cosine(const Vector& a, const Vector& b);

/// The sum of the vectors' directions.
Vector centroid(const std::vector<Vector>& vectors);

/// log((M + 1) / (n + 1)) for tokens that stand in n of M texts; those that stand in none have n = 0.
class Rarity {
 public:
  explicit Rarity(const std::vector<std::vector<std::string>>& texts);
  double operator()(const std::string& token) const;

 private:
  double texts_;
  std::map<std::string, double> found_;
};

struct BertScores {
  double precision = 0, recall = 0, f = 0;
};

/// Against one reference; without a rarity all tokens weigh alike.
BertScores bertscore(const TokenText& caption, const TokenText& reference, const Rarity* rarity);

/// The same text with the vectors of MoverScore's first version: each token's are brought to length 1 in
/// every one of these layers, and the least, the mean and the greatest of each number stand side by side.
TokenText spread_over_layers(const std::vector<TokenText>& layers);

/// The distance between two texts of BERT's tokens; nothing if one has no token that counts.
std::optional<double> mover_distance(const TokenText& caption, const TokenText& reference,
                                     const Rarity* rarity, bool squared, bool drops_subwords);

}  // namespace capella::reference
