// What people would say: their ratings as a curve over a metric's score, learnt from captions that have both.
//
// The curve is made of lines between knots and rises strictly, so it changes no order of captions. Each knot
// also knows how far single ratings lie from the curve there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace capella::stats {

struct Knot {
  double score;
  double rating;
  double spread;  ///< the standard deviation of single ratings about the curve
};

struct Range {
  double least;
  double most;
};

class Calibration {
 public:
  /// Throws DataError unless there are two knots or more, scores and ratings rise strictly, and no number is
  /// NaN or infinite, no spread negative.
  explicit Calibration(std::vector<Knot> knots);

  /// Between the knots on lines; beyond them their values.
  Knot at(double score) const;

  std::span<const Knot> knots() const { return knots_; }

 private:
  std::vector<Knot> knots_;
};

struct CalibrationOptions {
  std::size_t bins = 40;   ///< at most; each has as many captions as the others, 25 or more
  Range scores = {-1, 1};  ///< where the curve begins and ends
  Range ratings = {0, 1};  ///< what it is there
};

/// Bins of captions with neighbouring scores, isotonic regression of their means, a knot for each block of
/// it, and one at either end. Throws DataError if sizes differ, a number is NaN, a score is out of range, or
/// there are fewer than 100 captions.
Calibration calibrate(std::span<const double> scores, std::span<const double> ratings,
                      const CalibrationOptions& options = {});

/// One bin of a reliability plot: captions with neighbouring predictions.
struct ReliabilityBin {
  std::size_t captions;
  double predicted;  ///< means
  double rated;
  double spread;  ///< of the mean rating: its standard error; NaN if all captions are of one image
};
struct Reliability {
  std::vector<ReliabilityBin> bins;
  double error = 0;   ///< the mean over captions of |rated - predicted| of their bin
  double within = 0;  ///< the share of captions whose rating lies within one spread of the prediction
};
/// How true predictions are, `predicted` as Calibration::at() gives them. Captions of one of the `images`,
/// which share references, are not independent: images are the clusters of standard errors.
Reliability reliability(std::span<const Knot> predicted, std::span<const double> ratings,
                        std::span<const std::uint32_t> images, std::size_t bins = 10);

}  // namespace capella::stats
