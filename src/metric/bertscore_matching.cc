#include "metric/bertscore_matching.h"

#include "tensor/kernels.h"

namespace capella::metric {
namespace {

using encoder::EncodedText;

constexpr std::size_t kSpecialTokens = 2;

// The mean of the matches' cosines; 0 if nothing counts.
double weighted_mean(const std::vector<TokenMatch>& matches, const std::vector<double>& weights) {
  double sum = 0.0, total = 0.0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    sum += weights[i] * matches[i].cosine;
    total += weights[i];
  }
  return total == 0.0 ? 0.0 : sum / total;
}

}  // namespace

TokenMatches match_tokens(const EncodedText& caption, const EncodedText& reference) {
  constexpr double kLeast = -2.0;
  const tensor::Kernels& kernels = tensor::kernels();
  TokenMatches matches{std::vector<TokenMatch>(caption.ids.size(), {0, kLeast}),
                       std::vector<TokenMatch>(reference.ids.size(), {0, kLeast})};
  for (std::size_t i = 0; i < caption.ids.size(); ++i) {
    for (std::size_t j = 0; j < reference.ids.size(); ++j) {
      const auto cosine = static_cast<double>(
          kernels.dot(caption.vector(i).data(), reference.vector(j).data(), caption.width));
      if (cosine > matches.of_caption[i].cosine) matches.of_caption[i] = {j, cosine};
      if (cosine > matches.of_reference[j].cosine) matches.of_reference[j] = {i, cosine};
    }
  }
  return matches;
}

std::vector<double> token_weights(const EncodedText& text, const TokenRarity* rarity) {
  std::vector<double> weights(text.ids.size());
  for (std::size_t i = 1; i + 1 < weights.size(); ++i) {
    const bool special = text.ids[i] == text.ids.front() || text.ids[i] == text.ids.back();
    if (!special) weights[i] = rarity == nullptr ? 1.0 : (*rarity)(text.ids[i]);
  }
  return weights;
}

BertScoreValues bertscore_values(const EncodedText& caption, const EncodedText& reference,
                                 const TokenRarity* rarity) {
  if (caption.ids.size() <= kSpecialTokens || reference.ids.size() <= kSpecialTokens) return {0.0, 0.0, 0.0};
  const TokenMatches matches = match_tokens(caption, reference);
  const double precision = weighted_mean(matches.of_caption, token_weights(caption, rarity));
  const double recall = weighted_mean(matches.of_reference, token_weights(reference, rarity));
  const double sum = precision + recall;
  return {precision, recall, sum == 0.0 ? 0.0 : 2.0 * precision * recall / sum};
}

}  // namespace capella::metric
