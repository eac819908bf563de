// CIDEr-R (Oliveira et al. 2021; docs/metrics/cider.md): CIDEr-D whose length penalty is relative to the
// reference's length and which punishes repeated words.
#pragma once

#include <memory>

#include "metric/cider_weights.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kCiderRSettings[] = {kCiderDfSetting};

std::unique_ptr<Metric> make_cider_r(const Settings& settings);

}  // namespace capella::metric
