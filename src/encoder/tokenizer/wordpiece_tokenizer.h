// BERT's tokenizer: words and signs, each cut into the longest pieces that the vocabulary has, from the left.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "encoder/tokenizer/piece_tokenizer.h"

namespace capella::encoder {

struct WordPieceOptions {
  bool clean = true;         ///< controls are dropped, white space becomes spaces
  bool cuts_chinese = true;  ///< each Chinese character is a word
  bool strips_accents = true;
  bool lowers = true;
  std::string inner = "##";  ///< stands before pieces that begin inside a word
  std::string unknown = "[UNK]";
  std::size_t longest_word = 100;  ///< characters; longer ones are unknown
};

/// Throws DataError if the vocabulary lacks the unknown word.
std::unique_ptr<const Tokenizer> make_wordpiece_tokenizer(TokenizerParts parts,
                                                          const WordPieceOptions& options);

}  // namespace capella::encoder
