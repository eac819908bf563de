// Capella-S: how near a caption is to what people say of the same image, told on a scale of people's ratings
// (docs/metrics/capella-s.md). An encoder of sentences with a small adapter that was learnt from captions of
// images gives the cosines; a curve that was learnt from ratings turns them into what people would say.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "method/capella_s/calibration_file.h"
#include "metric/encoder_texts.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::method::capella_s {

inline constexpr metric::SettingInfo kSettings[] = {
    {"model", "", "an adapter that 'capella nn train-adapter' wrote and 'capella nn calibrate' gave a scale",
     "DIR"},
    metric::kPrecisionSetting};

/// `folder` is the adapter's, empty if none was named: then there is a metric that cannot score. `open` gives
/// the adapter's curve; FileError is thrown before captions are scored if it is of another model.
/// `eight_bits`: of the encoder's weights; the curve is one for both.
std::unique_ptr<metric::Metric> make_capella_s(const std::string& folder, std::function<LearntCurve()> open,
                                               bool eight_bits = false);

}  // namespace capella::method::capella_s
