// People's scale for an adapter of one's own: a curve from the cosines that it gives to what people say. See
// docs/nn.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "capella/progress.h"

namespace capella {

struct AdapterCalibration {
  std::string adapter;                    ///< its folder, into which the curve is written
  std::string ratings;                    ///< rated captions
  std::string layout;                     ///< nebula, polaris, composite, flickr8k-expert or flickr8k-cf
  std::vector<std::string> without = {};  ///< parts of them that are left out, e.g. flickr8k of composite
  bool replace = false;                   ///< a curve that is there already
  std::size_t threads = 0;
  Progress progress = {};
};

/// Captions for which neighbouring ratings were predicted; ratings are from 0 to 1.
struct CalibrationBin {
  std::size_t captions = 0;
  double predicted = 0;       ///< the mean
  double rated = 0;           ///< the mean
  double standard_error = 0;  ///< of that, with images as clusters; NaN if there is only one
};

struct AdapterCalibrated {
  std::string file;  ///< that was written
  std::size_t captions = 0;
  std::size_t images = 0;
  std::size_t knots = 0;
  double agreement = 0;  ///< Kendall's tau-c of cosines and ratings
  /// Of predictions for one half of the images by a curve that was learnt from the other.
  std::vector<CalibrationBin> bins;
  double error = 0;   ///< the mean over captions of |rated - predicted| of their bin
  double within = 0;  ///< captions whose rating is no further away than the curve says it would be
  std::vector<std::string> warnings;
};

/// Throws UsageError, FileError or DataError.
AdapterCalibrated calibrate_adapter(const AdapterCalibration& options);

}  // namespace capella
