// Sentence-cosine: the angle between the vectors that an encoder of sentences gives to caption and reference
// (docs/metrics/sentence-cosine.md).
#pragma once

#include <memory>

#include "metric/encoder_texts.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kSentenceCosineSettings[] = {
    kEncoderSetting,
    {"over", "both",
     "of several references: max (the nearest), mean, both: the mean of the two, centroid: the cosine with "
     "the sum of their directions, or max+centroid: the mean of max and centroid"},
    {"pooling", "told", "a text's vector: told (as the model's folder says), mean, first or pooler"},
    kPrecisionSetting};

std::unique_ptr<Metric> make_sentence_cosine(const Settings& settings);

}  // namespace capella::metric
