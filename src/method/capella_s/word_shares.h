// Which words make the cosine of two sentences.
//
// A sentence's vector is the mean of its tokens', so the product of two sentences' vectors is the mean of the
// products of all pairs of their tokens: each token has its share of the cosine, and the shares of a
// sentence's tokens sum to it. Nothing is left over, and nothing is guessed.
#pragma once

#include <string>
#include <vector>

#include "encoder/sentence_encoder.h"

namespace capella::method::capella_s {

struct Word {
  std::string text;  ///< pieces of one word joined; special tokens as the vocabulary writes them
  bool special = false;
  double share = 0;         ///< of the cosine
  std::size_t nearest = 0;  ///< the word of the other sentence that it shares most with, special ones aside
  double alike = 0;         ///< the cosine of the two words' vectors
};

struct WordShares {
  double cosine = 0;
  std::vector<Word> caption;
  std::vector<Word> reference;
};

WordShares word_shares(const encoder::EncodedText& caption, const encoder::EncodedText& reference,
                       const encoder::SentenceEncoder& encoder);

}  // namespace capella::method::capella_s
