#include "metric/reference_cosines.h"

#include <algorithm>

#include <fmt/format.h>

#include "metric/cosine.h"

namespace capella::metric {

using encoder::Pooling;

SentenceState::SentenceState(const References& references, const Resources& resources, Pooling how)
    : encoder(*resources.encoder),
      pooling(how == Pooling::as_told ? encoder.told_pooling() : how),
      texts(references, resources.items),
      features(encoder.sentences(texts.texts(), pooling, {resources.pool, resources.progress})),
      cut(references, resources) {
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
    for (std::size_t k = 0; k < batch.size(); ++k) places_.push_back(state.texts.place(batch, k));
    return;
  }
  BatchReferences own = references_of(batch);
  own_ = state.encoder.sentences(own.texts, state.pooling);
  references_ = &own_;
  places_ = std::move(own.places);
}

std::vector<double> ReferenceCosines::of(std::size_t k) const {
  std::vector<double> all;
  for (std::size_t r = places_[k]; r < places_[k] + reference_count(batch_, k); ++r)
    all.push_back(cosine(captions_.row(k), references_->row(r)));
  return all;
}

CosineSummary summarize(std::span<const double> cosines) {
  if (cosines.empty()) return {};
  double sum = 0.0;
  for (const double one : cosines) sum += one;
  return {*std::ranges::max_element(cosines), sum / static_cast<double>(cosines.size())};
}

}  // namespace capella::metric
