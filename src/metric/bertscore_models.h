// What was published for the models that BERTScore is known with: which layer, and what unrelated texts
// reach. Models are known by their sizes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "encoder/sentence_encoder.h"

namespace capella::metric {

/// Precision, recall and F.
using BertScoreValues = std::array<double, 3>;

/// The layer for that model; its last one if none was published.
std::size_t published_layer(const encoder::SentenceEncoder& encoder);

/// What unrelated texts reach on average; nothing if that was not published for the model and layer.
std::optional<BertScoreValues> published_baseline(const encoder::SentenceEncoder& encoder, std::size_t layer);

}  // namespace capella::metric
