// From log odds of a network that was trained on as many right as wrong cases to probabilities of cases as
// they come (Platt 1999), and how good probabilities are.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace capella::method::mln {

/// p = s(logit * slope + shift).
struct Calibration {
  double slope = 1, shift = 0;
  double of(double logit) const;
};

/// The most probable slope and shift, with normal priors: the slope about 1 (deviation 1, never below 0.05),
/// the shift about `shift` (deviation 2). So few or no cases do not lead astray.
Calibration fit_calibration(std::span<const double> logits, const std::vector<bool>& right, double shift);

/// Halves cases to measure on one half what was fitted to the other: says of each whether it is in the
/// second. All cases of an image are in the same half. Images with right cases, with wrong ones and with both
/// are halved each for themselves, in an order that depends on their names alone.
std::vector<bool> second_half(std::span<const std::string_view> images, const std::vector<bool>& right);

/// Of probabilities against what is right; NaN without cases.
struct ProbabilityQuality {
  double log_loss = 0;  ///< mean of -ln of what the right answer was given, at least 1e-15
  double brier = 0;     ///< mean square error
  double ece = 0;       ///< expected calibration error: ten bins of equal width, weighted by their cases
};
ProbabilityQuality quality(std::span<const double> probabilities, const std::vector<bool>& right);

}  // namespace capella::method::mln
