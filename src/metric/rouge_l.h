// ROUGE-L as coco-caption computes it (docs/metrics/rouge-l.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kRougeLSettings[] = {
    {"beta", "1.2", "how much more recall weighs than precision"}};

std::unique_ptr<Metric> make_rouge_l(const Settings& settings);

}  // namespace capella::metric
