// MID, mutual information divergence: how well a caption and its picture go together, by what references and
// pictures tell about each other (docs/metrics/mid.md).
#pragma once

#include <memory>

#include "metric/clip_features.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kMidSettings[] = {
    {"model", "", kClipModelHelp, "DIR"},
    {"prompt", "", "words before each caption"},
    {"epsilon", "0", "added to the variances, for few items; the authors suggest 0.0005 below 30000"}};

std::unique_ptr<Metric> make_mid(const Settings& settings);

}  // namespace capella::metric
