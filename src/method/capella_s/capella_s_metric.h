// Capella-S: how near a caption is to what people say of the same image, told on a scale of people's ratings
// (docs/metrics/capella-s.md). An encoder of sentences with a small adapter that was learnt from captions of
// images gives the cosines; a curve that was learnt from ratings turns them into what people would say.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "method/capella_s/calibration_file.h"
#include "metric/encoder_texts.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::method::capella_s {

/// Whether a caption is none; such a one has the lowest score.
bool is_blank(std::string_view caption);

/// What the setting `model` calls the one that comes with Capella.
inline constexpr std::string_view kShipped = "capella-s";

inline constexpr metric::SettingInfo kSettings[] = {{"model", kShipped,
                                                     "capella-s, which comes with Capella, or an adapter "
                                                     "that 'capella nn train-adapter' wrote and 'capella nn "
                                                     "calibrate' gave a scale"},
                                                    metric::kPrecisionSetting};

struct ModelChoice {
  std::string folder;       ///< an adapter's, or any sentence encoder's, with a curve
  std::string data = {};    ///< the data package that it builds on; empty if that is not known
  bool eight_bits = false;  ///< of the encoder's weights; the curve is one for both
};

/// `open` gives the model's curve; FileError is thrown before captions are scored if it is of another model.
std::unique_ptr<metric::Metric> make_capella_s(const ModelChoice& model, std::function<LearntCurve()> open);

}  // namespace capella::method::capella_s
