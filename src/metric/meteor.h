// METEOR 1.5 for English as coco-caption drives it (docs/metrics/meteor.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kMeteorSettings[] = {
    {"paraphrases", "en-1.5", "the paraphrase table: en-1.5, or none to go without"},
};

std::unique_ptr<Metric> make_meteor(const Settings& settings);

}  // namespace capella::metric
