// Scores that were computed elsewhere, beside our own metrics: the corpus value is their mean.
#pragma once

#include <memory>
#include <string>

#include "metric/metric.h"

namespace capella::metric {

inline constexpr std::string_view kGivenPrefix = "given:";  ///< metric names of such scores begin so

/// Only finish() may be called: the rows {value, 1} are filled by whoever has the values.
std::unique_ptr<Metric> make_given(std::string score_name);

}  // namespace capella::metric
