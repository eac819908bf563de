// Text to token ids as the encoders were trained with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/model_folder.h"
#include "encoder/tokenizer/clip_text.h"

namespace capella::encoder {

struct Tokens {
  std::vector<std::int32_t> ids;  ///< with the special tokens at both ends
  std::size_t left_out = 0;       ///< tokens that did not fit
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// At most `most` tokens, special ones counted; the last is then still the end token. Text must be UTF-8;
  /// bytes that are not count as U+FFFD. Any thread may call it at any time.
  virtual Tokens tokens(std::string_view text, std::size_t most) const = 0;
  /// The token as the vocabulary writes it ("Ġdog", "##ing", "dog</w>"), for explanations.
  virtual std::string_view piece(std::int32_t id) const = 0;
  virtual std::size_t size() const = 0;
  virtual std::int32_t first_token() const = 0;  ///< [CLS], <s>, <|startoftext|>
  virtual std::int32_t last_token() const = 0;   ///< [SEP], </s>, <|endoftext|>
};

/// What the files do not say, because programs differ in it.
struct TokenizerOptions {
  /// RoBERTa: whether the first word is read as if a space stood before it. BERTScore does so.
  bool prefix_space = false;
  /// CLIP: whose cleaning. CLIPScore and PAC-S are defined with OpenAI's.
  ClipCleaning clip_cleaning = ClipCleaning::openai;
};

/// The tokenizer whose files lie in the folder: tokenizer.json (any of them), vocab.txt (BERT), vocab.json
/// and merges.txt (RoBERTa, CLIP), bpe_simple_vocab_16e6.txt.gz (CLIP). Throws FileError.
std::unique_ptr<const Tokenizer> open_tokenizer(const ModelFolder& folder,
                                                const TokenizerOptions& options = {});
std::unique_ptr<const Tokenizer> open_tokenizer(const std::string& folder,
                                                const TokenizerOptions& options = {});

}  // namespace capella::encoder
