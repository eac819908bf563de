// Two texts, token by token: which token each one finds, and what that makes.
#pragma once

#include <cstddef>
#include <vector>

#include "encoder/sentence_encoder.h"
#include "metric/bertscore_models.h"
#include "metric/token_vectors.h"

namespace capella::metric {

/// For a token of one text the token of the other that is most like it, the first of equal ones.
struct TokenMatch {
  std::size_t token = 0;
  double cosine = 0.0;
};

struct TokenMatches {
  std::vector<TokenMatch> of_caption;  ///< for each of its tokens, special ones too
  std::vector<TokenMatch> of_reference;
};

/// Vectors must be of length 1.
TokenMatches match_tokens(const encoder::EncodedText& caption, const encoder::EncodedText& reference);

/// What a token counts: its rarity, or 1. The special tokens that stand at the ends of a text count nothing,
/// wherever a text names them.
std::vector<double> token_weights(const encoder::EncodedText& text, const TokenRarity* rarity);

/// Precision, recall and F; all 0 if one of the texts has no token beside the special ones.
BertScoreValues bertscore_values(const encoder::EncodedText& caption, const encoder::EncodedText& reference,
                                 const TokenRarity* rarity);

}  // namespace capella::metric
