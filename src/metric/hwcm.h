// Headword chain matching (Liu & Gildea 2005) as LCEval has it: how many of the chains of a reference's
// dependency tree a caption's tree has too (docs/metrics/hwcm.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kHwcmSettings[] = {
    {"chains", "nodes",
     "whether chains follow the words of the sentence (nodes) or join words that look alike, as LCEval does "
     "(values)"},
};

std::unique_ptr<Metric> make_hwcm(const Settings& settings);

}  // namespace capella::metric
