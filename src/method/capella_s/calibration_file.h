// The file that holds Capella-S' curve: calibration.json in an adapter's folder, beside PEFT's own files.
#pragma once

#include <string>

#include "stats/calibration.h"

namespace capella::method::capella_s {

struct LearntCurve {
  stats::Calibration curve;
  std::string model;        ///< the fingerprint of the adapter with its base: whose cosines they are
  std::string learnt_from;  ///< for people
};

std::string calibration_path(const std::string& folder);

/// Throws FileError if there is none, or if it is damaged.
LearntCurve read_calibration(const std::string& folder);

std::string calibration_text(const LearntCurve& learnt);

}  // namespace capella::method::capella_s
