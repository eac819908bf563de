// MOWE, mean of word embeddings: the angle between what a caption's words mean together and what a
// reference's do (docs/metrics/mowe.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kMoweSettings[] = {
    {"vectors", "captions", "the word vectors: captions, which come with Capella, or a file's path"}};

std::unique_ptr<Metric> make_mowe(const Settings& settings);

}  // namespace capella::metric
