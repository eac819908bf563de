// How true a curve of people's ratings is, for people and for programs.
#pragma once

#include <string>

#include "capella/adapter_calibration.h"

#include "report/table.h"

namespace capella::report {

/// One row for each bin of a reliability plot.
std::string format_calibration(const AdapterCalibrated& calibrated, Format format);

/// The plot: what was predicted and what people said; right predictions lie on the diagonal.
std::string draw_reliability(const AdapterCalibrated& calibrated);

}  // namespace capella::report
