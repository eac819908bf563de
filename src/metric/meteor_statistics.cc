#include "metric/meteor_statistics.h"

#include <cmath>

namespace capella::metric {
namespace {

// METEOR 1.5's parameters for English, task "rank".
constexpr double kAlpha = 0.85;
constexpr double kBeta = 0.2;
constexpr double kGamma = 0.6;
constexpr double kDelta = 0.75;
constexpr double kModuleWeights[kMeteorModules] = {1.0, 0.6, 0.8, 0.6};

// Content words weigh delta, function words 1 - delta. The order of the operations shows in the last digits.
double weighted_length(double words, double function_words) {
  return kDelta * (words - function_words) + (1.0 - kDelta) * function_words;
}

// `side`: 0 for the caption, 1 for the reference.
double weighted_matches(std::span<const double, 23> statistics, std::size_t side) {
  double sum = 0.0;
  for (std::size_t module = 0; module < kMeteorModules; ++module)
    sum += statistics[kModules + 4 * module + side] * kModuleWeights[module] * kDelta;
  for (std::size_t module = 0; module < kMeteorModules; ++module)
    sum += statistics[kModules + 4 * module + 2 + side] * kModuleWeights[module] * (1.0 - kDelta);
  return sum;
}

}  // namespace

bool is_perfect(std::span<const double, 23> statistics) {
  return statistics[kCaptionMatched] == statistics[kCaptionWords] &&
         statistics[kReferenceMatched] == statistics[kReferenceWords] && statistics[kChunks] == 1.0;
}

MeteorValue meteor_value(std::span<const double, 23> statistics) {
  MeteorValue value{};
  value.precision = weighted_matches(statistics, 0) /
                    weighted_length(statistics[kCaptionWords], statistics[kCaptionFunction]);
  value.recall = weighted_matches(statistics, 1) /
                 weighted_length(statistics[kReferenceWords], statistics[kReferenceFunction]);
  value.f_mean = 1.0 / ((1.0 - kAlpha) / value.precision + kAlpha / value.recall);
  const double matched = (statistics[kCaptionMatched] + statistics[kReferenceMatched]) / 2.0;
  const double fragmentation = is_perfect(statistics) ? 0.0 : statistics[kChunks] / matched;
  value.penalty = kGamma * std::pow(fragmentation, kBeta);
  value.score = value.f_mean * (1.0 - value.penalty);
  if (!(value.score > 0.0)) value.score = 0.0;  // not a number: nothing matches
  return value;
}

}  // namespace capella::metric
