// ROUGE-1 recall: how many of a reference's words a caption has (docs/metrics/rouge-1.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

std::unique_ptr<Metric> make_rouge_1(const Settings& settings);

}  // namespace capella::metric
