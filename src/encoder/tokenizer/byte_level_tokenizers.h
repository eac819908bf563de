// CLIP's and RoBERTa's tokenizers: byte pair encoding of the words of a text.
#pragma once

#include <memory>
#include <vector>

#include "encoder/tokenizer/bpe.h"
#include "encoder/tokenizer/piece_tokenizer.h"

namespace capella::encoder {

inline constexpr std::string_view kClipWordEnd = "</w>";

/// Where the word ends, or the white space, that begins at `at` of a text made ready by clean_for_clip().
std::size_t end_of_clip_word(std::string_view text, std::size_t at);

/// `merges` point into the list of pieces or live as long as this call. Throws DataError as Bpe does.
std::unique_ptr<const Tokenizer> make_clip_tokenizer(TokenizerParts parts, const std::vector<Merge>& merges,
                                                     ClipCleaning cleaning);
std::unique_ptr<const Tokenizer> make_roberta_tokenizer(TokenizerParts parts,
                                                        const std::vector<Merge>& merges, bool prefix_space);

}  // namespace capella::encoder
