// BLEU-1 ... BLEU-4 as coco-caption computes them (docs/metrics/bleu.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

std::unique_ptr<Metric> make_bleu(const Settings& settings);

}  // namespace capella::metric
