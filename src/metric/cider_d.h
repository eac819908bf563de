// CIDEr-D, what coco-caption calls CIDEr (docs/metrics/cider.md).
#pragma once

#include <memory>

#include "metric/cider_weights.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kCiderDSettings[] = {
    {"sigma", "6", "width of the Gaussian over the difference in length"}, kCiderDfSetting};

std::unique_ptr<Metric> make_cider_d(const Settings& settings);

}  // namespace capella::metric
