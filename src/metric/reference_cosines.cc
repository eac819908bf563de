#include "metric/reference_cosines.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "metric/cosine.h"

namespace capella::metric {

using encoder::Pooling;

namespace {

// Below it directions cancel each other: what is left is the rounding of vectors in 32 bits.
constexpr double kLeastUnity = 1e-6;

double square_of(std::span<const float> vector) {
  double sum = 0.0;
  for (const float number : vector) sum += static_cast<double>(number) * static_cast<double>(number);
  return sum;
}

std::vector<double> unities_of(const References& references, const PreparedReferences& texts,
                               const encoder::Features& features) {
  std::vector<double> all;
  for (std::size_t item = texts.first_item(); item < texts.end_item(); ++item)
    all.push_back(
        unity(features, references.begin(item) - texts.first(), references.end(item) - texts.first()));
  return all;
}

}  // namespace

double unity(const encoder::Features& vectors, std::size_t begin, std::size_t end) {
  if (begin == end) return 0.0;
  std::vector<double> sum(vectors.width);
  for (std::size_t r = begin; r < end; ++r) {
    const std::span<const float> vector = vectors.row(r);
    const double length = std::sqrt(square_of(vector));
    if (length == 0.0) continue;
    if (end - begin == 1) return 1.0;
    for (std::size_t i = 0; i < vector.size(); ++i) sum[i] += static_cast<double>(vector[i]) / length;
  }
  double square = 0.0;
  for (const double number : sum) square += number * number;
  return std::sqrt(square) / static_cast<double>(end - begin);
}

SentenceState::SentenceState(const References& references, const Resources& resources, Pooling how)
    : encoder(*resources.encoder),
      pooling(how == Pooling::as_told ? encoder.told_pooling() : how),
      texts(references, resources.items),
      features(encoder.sentences(texts.texts(), pooling, {resources.pool, resources.progress})),
      cut(references, resources),
      unities(unities_of(references, texts, features)) {
  cut.add_references(texts.first(), features.cut);
}

std::string SentenceState::choices() const {
  const bool eight_bits = encoder.precision() == encoder::Precision::kInt8;
  return fmt::format("model:{}|pool:{}{}", encoder.description(), name(pooling),
                     eight_bits ? "|precision:int8" : "");
}

ReferenceCosines::ReferenceCosines(const Batch& batch, const SentenceState& state, bool counted)
    : batch_(batch), captions_(state.encoder.sentences(batch.captions, state.pooling)) {
  if (counted) state.cut.add_captions(batch, captions_.cut);
  if (state.texts.has(batch)) {
    references_ = &state.features;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      places_.push_back(state.texts.place(batch, k));
      unities_.push_back(state.unities[batch.items[k] - state.texts.first_item()]);
    }
    return;
  }
  BatchReferences own = references_of(batch);
  own_ = state.encoder.sentences(own.texts, state.pooling);
  references_ = &own_;
  places_ = std::move(own.places);
  for (std::size_t k = 0; k < batch.size(); ++k)
    unities_.push_back(metric::unity(own_, places_[k], places_[k] + reference_count(batch, k)));
}

std::vector<double> ReferenceCosines::of(std::size_t k) const {
  std::vector<double> all;
  for (std::size_t r = places_[k]; r < places_[k] + reference_count(batch_, k); ++r)
    all.push_back(cosine(captions_.row(k), references_->row(r)));
  return all;
}

CosineSummary summarize(std::span<const double> cosines, double unity) {
  if (cosines.empty()) return {};
  double sum = 0.0;
  for (const double one : cosines) sum += one;
  const double mean = sum / static_cast<double>(cosines.size());
  const double centroid = unity < kLeastUnity ? 0.0 : std::clamp(mean / unity, -1.0, 1.0);
  return {*std::ranges::max_element(cosines), mean, centroid};
}

CosineSummary compare(std::span<const float> caption, const encoder::Features& vectors, std::size_t begin,
                      std::size_t end) {
  std::vector<double> cosines;
  for (std::size_t r = begin; r < end; ++r) cosines.push_back(cosine(caption, vectors.row(r)));
  return summarize(cosines, unity(vectors, begin, end));
}

std::vector<double> max_and_centroid_shares(std::span<const double> cosines, double unity) {
  std::vector<double> shares;
  const double whole = unity * static_cast<double>(cosines.size());
  for (const double one : cosines) shares.push_back(unity < kLeastUnity ? 0.0 : one / whole / 2.0);
  const auto nearest = std::ranges::max_element(cosines);
  if (nearest != cosines.end()) shares[static_cast<std::size_t>(nearest - cosines.begin())] += *nearest / 2.0;
  return shares;
}

}  // namespace capella::metric
