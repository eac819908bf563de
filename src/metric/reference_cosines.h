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

/// How much some vectors are at one: the length of the mean of their directions. 1 if all point the same way,
/// 0 if they cancel each other; a vector without a direction counts as 0. Sums are taken in 64 bits, in
/// order.
double unity(const encoder::Features& vectors, std::size_t begin, std::size_t end);

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
  const std::vector<double> unities;  ///< of the references of each of texts' items
};

/// What a caption's cosines with its references come to. Without references: as far from them as can be.
struct CosineSummary {
  double max = -1.0;   ///< with the nearest
  double mean = -1.0;  ///< on average
  /// With the centroid, the sum of the references' directions: the mean divided by their unity, and 0 if
  /// they cancel each other.
  double centroid = -1.0;

  double both() const { return (max + mean) / 2.0; }
  /// What one reference says and what all have in common.
  double max_and_centroid() const { return (max + centroid) / 2.0; }
};
CosineSummary summarize(std::span<const double> cosines, double unity);

/// A caption's vector beside its references', rows `begin` to `end` of these.
CosineSummary compare(std::span<const float> caption, const encoder::Features& vectors, std::size_t begin,
                      std::size_t end);

/// Each reference's share of max_and_centroid(): they sum to it. Of several that are nearest the first
/// counts.
std::vector<double> max_and_centroid_shares(std::span<const double> cosines, double unity);

/// A batch's captions beside their references.
class ReferenceCosines {
 public:
  /// With `counted`, captions that the encoder sees in part are noted for a warning.
  ReferenceCosines(const Batch& batch, const SentenceState& state, bool counted = true);

  /// Of caption k with each of its references.
  std::vector<double> of(std::size_t k) const;
  /// Of caption k's references.
  double unity(std::size_t k) const { return unities_[k]; }
  CosineSummary summary(std::size_t k) const { return summarize(of(k), unities_[k]); }

 private:
  const Batch& batch_;
  encoder::Features captions_;
  encoder::Features own_;  // of references that the state does not have
  const encoder::Features* references_ = nullptr;
  std::vector<std::size_t> places_;
  std::vector<double> unities_;
};

}  // namespace capella::metric
