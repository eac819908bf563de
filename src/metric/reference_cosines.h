// Cosines of captions with their references, by the vectors of an encoder of sentences: where metrics of
// whole sentences begin.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "encoder/sentence_encoder.h"
#include "metric/encoder_texts.h"
#include "metric/metric.h"

namespace capella::metric {

/// The references' vectors.
class SentenceState final : public State {
 public:
  SentenceState(const References& references, const Resources& resources, encoder::Pooling how);

  /// How vectors are made, for signatures: "model:all-minilm-l6-v2(0f3a91c2)|pool:mean".
  std::string choices() const;

  const encoder::SentenceEncoder& encoder;
  const encoder::Pooling pooling;
  const PreparedReferences texts;
  const encoder::Features features;
  const CutTexts cut;
};

/// A batch's captions beside their references.
class ReferenceCosines {
 public:
  /// With `counted`, captions that the encoder sees in part are noted for a warning.
  ReferenceCosines(const Batch& batch, const SentenceState& state, bool counted = true);

  /// Of caption k with each of its references.
  std::vector<double> of(std::size_t k) const;

 private:
  const Batch& batch_;
  encoder::Features captions_;
  encoder::Features own_;  // of references that the state does not have
  const encoder::Features* references_ = nullptr;
  std::vector<std::size_t> places_;
};

/// Of the nearest reference, and on average. Without references: as far from them as can be.
struct CosineSummary {
  double max = -1.0;
  double mean = -1.0;

  double both() const { return (max + mean) / 2.0; }
};
CosineSummary summarize(std::span<const double> cosines);

}  // namespace capella::metric
