// BLEU as sacreBLEU 2 computes it: on the raw captions, with its own tokenizer 13a (or none, where captions
// are tokens already), from 0 to 100 (docs/metrics/bleu.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kSacreBleuSettings[] = {
    {"smooth", "exp", "what stands in for a zero count: exp, floor, add-k or none"},
    {"effective-order", "no", "yes: only orders the caption is long enough for (better for single captions)"},
};

std::unique_ptr<Metric> make_sacrebleu(const Settings& settings);

}  // namespace capella::metric
