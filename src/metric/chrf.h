// chrF and chrF++ as sacreBLEU 2 computes them, on raw captions, from 0 to 100 (docs/metrics/chrf.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kChrfSettings[] = {
    {"char-order", "6", "longest character n-gram, 1 to 6"},
    {"word-order", "0", "longest word n-gram, 0 to 2; 2 makes it chrF++"},
    {"beta", "2", "how much more recall weighs than precision"},
};

std::unique_ptr<Metric> make_chrf(const Settings& settings);

}  // namespace capella::metric
