// What was published for the models that BERTScore is known with: which layer, and what unrelated texts
// reach. A model is known by its name if its kind, its sizes and its vocabulary are those of that name; by
// these alone it can only be guessed, as weights that were tuned further have the same.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/sentence_encoder.h"

namespace capella::metric {

/// Precision, recall and F.
using BertScoreValues = std::array<double, 3>;

/// What a model is recognised by.
struct ModelTraits {
  bool roberta;
  std::size_t layers;
  std::size_t width;
  std::size_t vocabulary;
  std::vector<std::string> names = {};  ///< it may have several, or wrong ones
};
ModelTraits traits_of(const encoder::SentenceEncoder& encoder);

struct PublishedModel {
  std::string_view name;
  bool roberta;
  std::size_t layers;
  std::size_t width;
  std::size_t vocabulary;
  std::size_t layer;                                    ///< that BERTScore reads
  std::optional<BertScoreValues> unrelated_texts = {};  ///< what these reach there on average
};

struct KnownModel {
  const PublishedModel* model = nullptr;  ///< null: nothing was published for such a model
  bool guessed = false;                   ///< nothing calls it so
};
KnownModel known_model(const ModelTraits& traits);

/// What to tell if the model is guessed and the layer, or what unrelated texts reach, is taken from that;
/// otherwise nothing.
std::string guess_warning(const KnownModel& known, const std::string& description, bool layer, bool rescaled);

}  // namespace capella::metric
