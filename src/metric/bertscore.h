// BERTScore: each token of a text finds the token of the other that means most alike, by the cosine of their
// vectors in context (docs/metrics/bertscore.md).
#pragma once

#include <memory>

#include "metric/encoder_texts.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kBertScoreSettings[] = {
    kEncoderSetting,
    {"layer", "auto",
     "the layer whose vectors are compared: auto (as published for the model, else the last) or a number"},
    {"idf", "no", "yes: tokens weigh by how rare they are in the references"},
    {"rescale", "no",
     "yes: 0 is what unrelated texts reach, as published for bert-base-uncased, roberta-base and "
     "roberta-large"}};

std::unique_ptr<Metric> make_bertscore(const Settings& settings);

}  // namespace capella::metric
