// CIDEr without CIDEr-D's clipping and length factor (docs/metrics/cider.md).
#pragma once

#include <memory>

#include "metric/cider_weights.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kCiderPlainSettings[] = {kCiderDfSetting};

std::unique_ptr<Metric> make_cider_plain(const Settings& settings);

}  // namespace capella::metric
