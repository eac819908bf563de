// SPIDEr: the mean of CIDEr-D and SPICE (docs/metrics/spice.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

std::unique_ptr<Metric> make_spider(const Settings& settings);

}  // namespace capella::metric
