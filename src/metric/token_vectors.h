// What metrics that compare texts token by token know before captions come: the vectors of the references'
// tokens, and how rare each token is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/sentence_encoder.h"
#include "metric/encoder_texts.h"
#include "metric/metric.h"

namespace capella::metric {

/// How rare tokens are in texts: log((M + 1) / (n + 1)) for one that stands in n of M texts.
class TokenRarity {
 public:
  TokenRarity() = default;
  TokenRarity(const encoder::TokenizedTexts& texts, std::size_t vocabulary);

  double operator()(std::int32_t token) const { return values_[static_cast<std::size_t>(token)]; }
  /// Whether every token of the texts stands in all of them, so that none of them weighs anything.
  bool tells_nothing() const { return tells_nothing_; }

 private:
  std::vector<double> values_;
  bool tells_nothing_ = false;
};

class TokenState final : public State {
 public:
  /// References whose vectors would take more are encoded again for each batch.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;

  /// With `rarity` the references of all items are counted. Throws UsageError if the model has no such layer.
  TokenState(const References& references, const Resources& resources, const encoder::StateReading& how,
             bool rarity, std::size_t most_bytes = kMostBytes);

  const encoder::SentenceEncoder& encoder() const { return encoder_; }
  const encoder::StateReading& reading() const { return reading_; }
  /// Null if it was not wanted.
  const TokenRarity* rarity() const { return rarity_ ? &*rarity_ : nullptr; }

  std::vector<std::string> warnings(std::string_view metric) const;

 private:
  friend class TokenBatchVectors;

  const encoder::SentenceEncoder& encoder_;
  encoder::StateReading reading_;
  PreparedReferences texts_;
  std::optional<TokenRarity> rarity_;
  std::shared_ptr<const encoder::EncodedTexts> references_;  // null if they are too many
  CutTexts cut_;
};

/// The vectors of a batch's captions and references.
class TokenBatchVectors {
 public:
  /// `counted`: captions that are cut are to be told.
  TokenBatchVectors(const Batch& batch, const TokenState& state, bool counted);

  encoder::EncodedText caption(std::size_t k) const { return (*captions_)[k]; }
  std::size_t references(std::size_t k) const { return reference_count(batch_, k); }
  /// Reference i of caption k.
  encoder::EncodedText reference(std::size_t k, std::size_t i) const {
    return (*references_)[places_[k] + i];
  }

 private:
  const Batch& batch_;
  std::shared_ptr<const encoder::EncodedTexts> captions_;
  std::shared_ptr<const encoder::EncodedTexts> references_;
  std::vector<std::size_t> places_;
};

/// A token for people: "Ġdog" as " dog".
std::string shown_token(const encoder::Tokenizer& tokenizer, std::int32_t token);

}  // namespace capella::metric
