// MoverScore: how far the tokens of a caption must move to become those of a reference, by their vectors in
// context (docs/metrics/moverscore.md).
#pragma once

#include <memory>

#include "metric/encoder_texts.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kMoverScoreSettings[] = {
    kEncoderSetting,
    {"version", "2", "of the authors' program: 2 (the last layer) or 1 (the last five, squared distances)"},
    {"idf", "no", "yes: tokens weigh by how rare they are in the references"},
    {"subwords", "auto",
     "pieces inside words: keep, drop, or auto: as the version's example does (2 drops them)"}};

std::unique_ptr<Metric> make_moverscore(const Settings& settings);

}  // namespace capella::metric
