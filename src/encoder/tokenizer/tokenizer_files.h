// The files in which tokenizers come, by their content. All throw DataError that says what is wrong if it is
// not what it should be.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "encoder/tokenizer/tokenizer.h"

namespace capella::encoder {

/// Hugging Face's tokenizer.json, of BERT's, RoBERTa's or CLIP's kind.
std::unique_ptr<const Tokenizer> read_tokenizer_json(std::string_view content,
                                                     const TokenizerOptions& options);

/// BERT's vocab.txt, a piece per line; `config` is the content of tokenizer_config.json or empty.
std::unique_ptr<const Tokenizer> read_wordpiece_vocabulary(std::string_view vocabulary,
                                                           std::string_view config);

/// vocab.json and merges.txt: CLIP's if there is a "<|startoftext|>", else RoBERTa's.
std::unique_ptr<const Tokenizer> read_vocabulary_and_merges(std::string_view vocabulary,
                                                            std::string_view merges,
                                                            const TokenizerOptions& options);

/// OpenAI's list of CLIP's merges, unpacked.
std::unique_ptr<const Tokenizer> read_clip_merges(std::string_view merges, const TokenizerOptions& options);

}  // namespace capella::encoder
