// Texts to the vectors of a BERT or RoBERTa: one per text, as sentence-transformers makes them, or one per
// token, for metrics that compare token by token.
//
// Each text is encoded once, whatever the list it stands in; short and long ones do not share batches. A
// vector depends on its text alone, so neither threads nor batches change a bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/embedding_keeper.h"
#include "encoder/encoder_engine.h"
#include "encoder/encoding.h"
#include "encoder/token_batch.h"
#include "encoder/tokenizer/tokenizer.h"

namespace capella::encoder {

/// How the vectors of tokens become one of the text.
enum class Pooling : std::uint8_t {
  as_told,  ///< as the folder says (1_Pooling/config.json); the mean if it says nothing
  mean,     ///< over all tokens
  first,    ///< the first token's
  pooler,   ///< the first token's, sent through the model's last small layer
};

/// "told", "mean", "first", "pooler": as settings and signatures write it.
std::string_view name(Pooling pooling);

/// Which hidden states of a token make its vector.
struct StateReading {
  std::size_t layer = 0;  ///< of which layer; 0 are the embeddings
  /// 0: as they are. Else of this many layers, the last of which is `layer`: each is brought to length 1, and
  /// the vector is their minimum, mean and maximum, number by number, one behind the other.
  std::size_t spread = 0;
  bool unit = false;  ///< brought to length 1 at last

  friend bool operator==(const StateReading&, const StateReading&) = default;
};

/// A text's tokens and their vectors.
struct EncodedText {
  std::span<const std::int32_t> ids;  ///< special tokens at both ends
  const float* vectors = nullptr;     ///< [ids.size()][width]
  std::size_t width = 0;

  std::span<const float> vector(std::size_t token) const { return {vectors + token * width, width}; }
};

/// The tokens of a list of texts, equal texts stored once.
struct TokenizedTexts {
  TokenBatch tokens;
  std::vector<std::size_t> of;   ///< for each text, which sequence of `tokens` it is
  std::vector<std::size_t> cut;  ///< texts, ascending, that have more tokens than the model takes

  std::size_t size() const { return of.size(); }
  std::span<const std::int32_t> ids(std::size_t text) const {
    const std::size_t k = of[text];
    return std::span(tokens.ids).subspan(tokens.begin(k), tokens.length(k));
  }
};

/// The same with their vectors.
struct EncodedTexts {
  std::shared_ptr<const TokenizedTexts> texts;
  std::size_t width = 0;
  std::vector<std::shared_ptr<const float>> vectors;  ///< of each sequence, [tokens][width]

  std::size_t size() const { return texts->size(); }
  EncodedText operator[](std::size_t text) const {
    return {texts->ids(text), vectors[texts->of[text]].get(), width};
  }
};

class SentenceEncoder {
 public:
  /// A folder as Hugging Face or sentence-transformers write it. `kept` is where vectors are kept for later
  /// runs, each kind in a file of its own. Throws FileError, or UsageError if a device is to compute with 8
  /// bits.
  explicit SentenceEncoder(const std::string& folder, const EncoderEngine& engine = {},
                           const EmbeddingFolder& kept = {});
  explicit SentenceEncoder(const ModelFolder& folder, const EncoderEngine& engine = {},
                           const EmbeddingFolder& kept = {});
  ~SentenceEncoder();
  SentenceEncoder(SentenceEncoder&&) noexcept;

  /// "all-minilm-l6-v2(0f3a91c2)": the folder's name and the first digits of the fingerprint, for signatures.
  const std::string& description() const;
  const std::string& fingerprint() const;
  /// What the model is called, as far as its configuration ("_name_or_path") and its folder tell, without
  /// whose it is: "roberta-large". A name may be wrong.
  const std::vector<std::string>& names() const;

  std::size_t width() const;
  std::size_t layers() const;
  Precision precision() const;
  bool is_roberta() const;
  /// Tokens of a text, special ones counted, that a sentence's vector sees, and that token by token are seen.
  std::size_t most_in_sentence() const;
  std::size_t most_tokens() const;
  /// What Pooling::as_told stands for.
  Pooling told_pooling() const;
  /// Reads the first word as if a space stood before it, where that makes a difference (RoBERTa).
  const Tokenizer& tokenizer() const;

  /// One vector per text. A text that was encoded lately, or is kept, is not encoded again, here and below.
  /// Throws FileError if the pooler is asked for and there is none. Any thread may call this and the
  /// following at any time.
  Features sentences(std::span<const std::string_view> texts, Pooling pooling,
                     const EncodeWork& work = {}) const;

  /// The tokens that sentences() sees.
  TokenizedTexts sentence_tokens(std::span<const std::string_view> texts, const EncodeWork& work = {}) const;

  /// Lists that were asked for lately, or that somebody still holds, are the same, here and below.
  std::shared_ptr<const TokenizedTexts> tokenize(std::span<const std::string_view> texts,
                                                 const EncodeWork& work = {}) const;
  /// A vector per token. Throws UsageError if the model has no such layers.
  std::shared_ptr<const EncodedTexts> encode(std::span<const std::string_view> texts,
                                             const StateReading& reading, const EncodeWork& work = {}) const;
  /// Numbers in a vector of that reading.
  std::size_t width(const StateReading& reading) const;

  /// What went wrong with files of vectors, for people; empty if nothing did. No reason to stop.
  std::vector<std::string> cache_problems() const;
  /// Vectors that are made from now on are not kept for later runs.
  void keep_no_more() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace capella::encoder
