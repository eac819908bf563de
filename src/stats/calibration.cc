#include "stats/calibration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"

#include "stats/isotonic.h"
#include "stats/nan.h"

namespace capella::stats {
namespace {

constexpr std::size_t kFewestCaptions = 100;
constexpr std::size_t kFewestInBin = 25;
constexpr double kPrior = .5;  // captions with a middling rating in every bin: no curve lies flat on a bound

double between(double a, double b, double way) {
  return a + (b - a) * way;
}

std::vector<std::size_t> order_of(std::span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  return order;
}

// Where bins of almost equal size begin and end; captions with equal scores share a bin.
std::vector<std::size_t> bin_ends(std::span<const double> scores, std::span<const std::size_t> order,
                                  std::size_t bins) {
  std::vector<std::size_t> ends{0};
  for (std::size_t b = 1; b <= bins; ++b) {
    std::size_t end = std::max(order.size() * b / bins, ends.back());
    while (end > 0 && end < order.size() && scores[order[end]] == scores[order[end - 1]]) ++end;
    if (end > ends.back()) ends.push_back(end);
  }
  return ends;
}

// Bin b of `bins` of almost equal size.
std::size_t bin_begin(std::size_t count, std::size_t bins, std::size_t b) {
  return count * b / bins;
}

double mean_of(std::span<const double> values, std::span<const std::size_t> which) {
  double sum = 0;
  for (const std::size_t i : which) sum += values[i];
  return sum / static_cast<double>(which.size());
}

void expect_data(std::span<const double> scores, std::span<const double> ratings,
                 const CalibrationOptions& options) {
  if (scores.size() != ratings.size())
    throw DataError(fmt::format("{} scores and {} ratings, expected as many", scores.size(), ratings.size()));
  if (scores.size() < kFewestCaptions)
    throw DataError(fmt::format("{} rated captions are too few for a curve, expected {}", scores.size(),
                                kFewestCaptions));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!(scores[i] >= options.scores.least && scores[i] <= options.scores.most))
      throw DataError(fmt::format("row {} has the score {}, expected {} to {}", i, scores[i],
                                  options.scores.least, options.scores.most));
    if (!(ratings[i] >= options.ratings.least && ratings[i] <= options.ratings.most))
      throw DataError(fmt::format("row {} has the rating {}, expected {} to {}", i, ratings[i],
                                  options.ratings.least, options.ratings.most));
  }
}

// The root of the mean square of ratings about one value.
double spread_about(double value, std::span<const double> ratings, std::span<const std::size_t> which) {
  double sum = 0;
  for (const std::size_t i : which) sum += (ratings[i] - value) * (ratings[i] - value);
  return std::sqrt(sum / static_cast<double>(which.size()));
}

// Of the mean of these ratings, if ratings of different images are independent: what is left of each image is
// summed, and the sums' squares tell the mean's variance (with images for captions, that of the textbooks).
double standard_error(double mean, std::span<const double> ratings, std::span<const std::uint32_t> images,
                      std::span<const std::size_t> which) {
  std::map<std::uint32_t, double> left;
  for (const std::size_t i : which) left[images[i]] += ratings[i] - mean;
  if (left.size() < 2) return kNan;
  double squares = 0;
  for (const auto& [image, sum] : left) squares += sum * sum;
  const auto count = static_cast<double>(left.size());
  return std::sqrt(squares * count / (count - 1)) / static_cast<double>(which.size());
}

}  // namespace

Calibration::Calibration(std::vector<Knot> knots) : knots_(std::move(knots)) {
  if (knots_.size() < 2) throw DataError("a curve of ratings needs two knots or more");
  for (std::size_t i = 0; i < knots_.size(); ++i) {
    const Knot& knot = knots_[i];
    if (!std::isfinite(knot.score) || !std::isfinite(knot.rating) || !std::isfinite(knot.spread) ||
        knot.spread < 0)
      throw DataError(fmt::format("knot {} of a curve of ratings is no number", i));
    if (i > 0 && !(knots_[i - 1].score < knot.score && knots_[i - 1].rating < knot.rating))
      throw DataError(fmt::format("a curve of ratings does not rise from knot {} to {}", i - 1, i));
  }
}

Knot Calibration::at(double score) const {
  if (std::isnan(score)) return {score, score, score};
  const auto after = std::ranges::upper_bound(knots_, score, {}, &Knot::score);
  if (after == knots_.begin()) return {score, knots_.front().rating, knots_.front().spread};
  if (after == knots_.end()) return {score, knots_.back().rating, knots_.back().spread};
  const Knot& a = *(after - 1);
  const double way = (score - a.score) / (after->score - a.score);
  return {score, between(a.rating, after->rating, way), between(a.spread, after->spread, way)};
}

Calibration calibrate(std::span<const double> scores, std::span<const double> ratings,
                      const CalibrationOptions& options) {
  expect_data(scores, ratings, options);
  const std::vector<std::size_t> order = order_of(scores);
  const std::size_t bins = std::clamp<std::size_t>(order.size() / kFewestInBin, 1, options.bins);
  const double middle = between(options.ratings.least, options.ratings.most, .5);
  const std::vector<std::size_t> ends = bin_ends(scores, order, bins);
  const auto captions = [&](std::size_t first, std::size_t last) {
    return std::span(order).subspan(ends[first], ends[last] - ends[first]);
  };
  std::vector<double> means, weights;
  for (std::size_t b = 0; b + 1 < ends.size(); ++b) {
    const auto which = captions(b, b + 1);
    weights.push_back(static_cast<double>(which.size()) + kPrior);
    means.push_back((mean_of(ratings, which) * static_cast<double>(which.size()) + kPrior * middle) /
                    weights.back());
  }
  std::vector<Knot> knots;
  for (const Block& block : isotonic(means, weights)) {
    const auto which = captions(block.begin, block.end);
    knots.push_back({mean_of(scores, which), block.value, spread_about(block.value, ratings, which)});
  }
  if (options.scores.least < knots.front().score && options.ratings.least < knots.front().rating)
    knots.insert(knots.begin(), {options.scores.least, options.ratings.least, knots.front().spread});
  if (options.scores.most > knots.back().score && options.ratings.most > knots.back().rating)
    knots.push_back({options.scores.most, options.ratings.most, knots.back().spread});
  return Calibration(std::move(knots));
}

Reliability reliability(std::span<const Knot> predicted, std::span<const double> ratings,
                        std::span<const std::uint32_t> images, std::size_t bins) {
  std::vector<double> expected;
  Reliability result;
  const auto captions = static_cast<double>(ratings.size());
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    expected.push_back(predicted[i].rating);
    if (std::abs(ratings[i] - expected[i]) <= predicted[i].spread) result.within += 1 / captions;
  }
  const std::vector<std::size_t> order = order_of(expected);
  bins = std::min(bins, order.size());
  for (std::size_t b = 0; b < bins; ++b) {
    const std::size_t begin = bin_begin(order.size(), bins, b), end = bin_begin(order.size(), bins, b + 1);
    const auto which = std::span(order).subspan(begin, end - begin);
    const double rated = mean_of(ratings, which), count = static_cast<double>(which.size());
    result.bins.push_back(
        {which.size(), mean_of(expected, which), rated, standard_error(rated, ratings, images, which)});
    result.error += std::abs(result.bins.back().predicted - rated) * count / captions;
  }
  return result;
}

}  // namespace capella::stats
