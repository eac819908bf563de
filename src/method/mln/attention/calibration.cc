#include "method/mln/attention/calibration.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "method/mln/attention/attention.h"

namespace capella::method::mln {
namespace {

constexpr double kLeastSlope = .05;
constexpr double kSlopeDeviation = 1;
constexpr double kShiftDeviation = 2;

// ln(1 + exp(x)).
double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

// Minus the logarithm of the posterior, with its first and second derivatives in (slope, shift).
struct Objective {
  double value = 0;
  double g0 = 0, g1 = 0;
  double h00 = 0, h01 = 0, h11 = 0;
};

Objective objective(std::span<const double> logits, const std::vector<bool>& right, double centre,
                    Calibration at) {
  Objective sum;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double x = logits[i] * at.slope + at.shift;
    const double p = logistic(x);
    const double slope = p - (right[i] ? 1 : 0);
    sum.value += softplus(right[i] ? -x : x);
    sum.g0 += slope * logits[i];
    sum.g1 += slope;
    sum.h00 += p * (1 - p) * logits[i] * logits[i];
    sum.h01 += p * (1 - p) * logits[i];
    sum.h11 += p * (1 - p);
  }
  constexpr double kA = 1 / (kSlopeDeviation * kSlopeDeviation);
  constexpr double kB = 1 / (kShiftDeviation * kShiftDeviation);
  const double da = at.slope - 1;
  const double db = at.shift - centre;
  sum.value += (kA * da * da + kB * db * db) / 2;
  sum.g0 += kA * da;
  sum.g1 += kB * db;
  sum.h00 += kA;
  sum.h11 += kB;
  return sum;
}

// With the least slope: for a network that says nothing, or the contrary.
Calibration fit_shift(std::span<const double> logits, const std::vector<bool>& right, double centre) {
  constexpr int kSteps = 50;
  Calibration at{kLeastSlope, centre};
  for (int step = 0; step < kSteps; ++step) {
    const Objective now = objective(logits, right, centre, at);
    at.shift -= std::clamp(now.g1 / now.h11, -1.0, 1.0);
  }
  return at;
}

}  // namespace

double Calibration::of(double logit) const {
  return logistic(logit * slope + shift);
}

// Newton's method on a strictly convex function; a step that does not lower it is halved.
Calibration fit_calibration(std::span<const double> logits, const std::vector<bool>& right, double shift) {
  assert(logits.size() == right.size());
  constexpr int kMostSteps = 100;
  const double flat = 1e-10 * static_cast<double>(logits.size() + 1);
  Calibration at{1, shift};
  Objective now = objective(logits, right, shift, at);
  for (int step = 0; step < kMostSteps && std::abs(now.g0) + std::abs(now.g1) > flat; ++step) {
    const double determinant = now.h00 * now.h11 - now.h01 * now.h01;
    const double d0 = (now.h11 * now.g0 - now.h01 * now.g1) / determinant;
    const double d1 = (now.h00 * now.g1 - now.h01 * now.g0) / determinant;
    double length = 1;
    Calibration next{at.slope - d0, at.shift - d1};
    Objective there = objective(logits, right, shift, next);
    while (there.value > now.value && length > 1e-10) {
      length /= 2;
      next = {at.slope - length * d0, at.shift - length * d1};
      there = objective(logits, right, shift, next);
    }
    if (there.value > now.value) break;
    at = next;
    now = there;
  }
  return at.slope >= kLeastSlope ? at : fit_shift(logits, right, shift);
}

std::vector<bool> second_half(std::span<const std::string_view> images, const std::vector<bool>& right) {
  struct Image {
    bool told = false, untold = false;
    bool second = false;
  };
  std::map<std::string_view, Image> known;
  for (std::size_t i = 0; i < images.size(); ++i)
    (right[i] ? known[images[i]].told : known[images[i]].untold) = true;
  std::vector<std::pair<const std::string_view, Image>*> order;
  for (auto& image : known) order.push_back(&image);
  std::ranges::sort(order, {}, [](const auto* image) {
    return std::tuple(image->second.told, image->second.untold, hash_bytes(image->first), image->first);
  });
  for (std::size_t k = 0; k < order.size(); ++k) order[k]->second.second = k % 2 == 1;
  std::vector<bool> second;
  for (const std::string_view image : images) second.push_back(known.find(image)->second.second);
  return second;
}

ProbabilityQuality quality(std::span<const double> probabilities, const std::vector<bool>& right) {
  assert(probabilities.size() == right.size());
  constexpr std::size_t kBins = 10;
  constexpr double kLeast = 1e-15;
  if (probabilities.empty()) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    return {kNan, kNan, kNan};
  }
  std::array<double, kBins> surplus{};  // of probability over what came true
  ProbabilityQuality sum;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double p = probabilities[i];
    const double truth = right[i] ? 1 : 0;
    sum.log_loss -= std::log(std::max(kLeast, right[i] ? p : 1 - p));
    sum.brier += (p - truth) * (p - truth);
    surplus[std::min(kBins - 1, static_cast<std::size_t>(p * kBins))] += p - truth;
  }
  for (const double bin : surplus) sum.ece += std::abs(bin);
  const auto count = static_cast<double>(probabilities.size());
  return {sum.log_loss / count, sum.brier / count, sum.ece / count};
}

}  // namespace capella::method::mln
