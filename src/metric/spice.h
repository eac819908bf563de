// SPICE: how much of what the references say a caption says too, as objects, attributes and relations
// (docs/metrics/spice.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kSpiceSettings[] = {
    {"synsets", "yes", "whether words that share a WordNet synset mean the same; no: only equal words do"},
};

std::unique_ptr<Metric> make_spice(const Settings& settings);

}  // namespace capella::metric
