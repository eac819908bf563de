// Raw judgements to a benchmark: see include/capella/ratings.h.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"
#include "capella/ratings.h"

#include "io/raw_ratings.h"
#include "stats/agreement.h"

namespace capella {
namespace {

using io::RawRatings;
using Judgements = std::vector<RawRatings::Judgement>;

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

double median(std::vector<double> values) {
  if (values.empty()) return kNotKnown;
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct Worker {
  std::size_t judgements = 0;
  double median_seconds = kNotKnown;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
};

std::vector<Worker> look_at_workers(const RawRatings& raw) {
  std::vector<Worker> workers(raw.workers.size());
  std::vector<std::vector<double>> seconds(raw.workers.size());
  for (const auto& judgement : raw.judgements) {
    Worker& worker = workers[judgement.worker];
    ++worker.judgements;
    worker.lowest = std::min(worker.lowest, judgement.rating);
    worker.highest = std::max(worker.highest, judgement.rating);
    if (!std::isnan(judgement.seconds)) seconds[judgement.worker].push_back(judgement.seconds);
  }
  for (std::size_t i = 0; i < workers.size(); ++i) workers[i].median_seconds = median(std::move(seconds[i]));
  return workers;
}

double usual_seconds(const std::vector<Worker>& workers) {
  std::vector<double> medians;
  for (const Worker& worker : workers) {
    if (!std::isnan(worker.median_seconds)) medians.push_back(worker.median_seconds);
  }
  return median(std::move(medians));
}

// Why the worker is left out; empty for one who stays.
std::string reason_to_drop(const Worker& worker, double quick_limit, const PrepareOptions& options) {
  std::vector<std::string> reasons;
  if (worker.median_seconds < quick_limit) {
    reasons.push_back(
        fmt::format("quick: median time {:.3g} s, below {:.3g} s", worker.median_seconds, quick_limit));
  }
  const bool many = options.constant_from > 0 && worker.judgements >= options.constant_from;
  if (many && worker.lowest == worker.highest) {
    reasons.push_back(fmt::format("constant: every rating is {}", worker.lowest));
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

// The judgements of those who stay; the others are listed in the report.
Judgements drop_workers(const RawRatings& raw, const PrepareOptions& options, PreparationReport& report) {
  const std::vector<Worker> workers = look_at_workers(raw);
  report.usual_seconds = usual_seconds(workers);
  const double share = std::isnan(report.usual_seconds) ? 0 : options.quick_share * report.usual_seconds;
  report.quick_limit = std::max(options.quick_seconds, share);
  std::vector<bool> stays(workers.size(), true);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    std::string why = reason_to_drop(workers[i], report.quick_limit, options);
    if (why.empty()) continue;
    stays[i] = false;
    report.dropped.push_back({raw.workers[i], workers[i].judgements, std::move(why)});
  }
  Judgements left;
  std::copy_if(raw.judgements.begin(), raw.judgements.end(), std::back_inserter(left),
               [&](const auto& judgement) { return stays[judgement.worker]; });
  return left;
}

WorkerAgreement agreement(const Judgements& judgements) {
  std::vector<stats::JudgedUnit> ratings;
  std::map<std::uint32_t, std::size_t> workers;
  for (const auto& one : judgements) {
    ratings.push_back({one.worker, one.caption, one.rating});
    ++workers[one.worker];
  }
  const stats::PairwiseAgreement pairs = stats::pairwise_agreement(ratings);
  return {stats::krippendorff_alpha(ratings, stats::RatingLevel::interval),
          stats::krippendorff_alpha(ratings, stats::RatingLevel::ordinal),
          pairs.pearson,
          pairs.kendall_b,
          pairs.pairs,
          workers.size(),
          judgements.size()};
}

// How often each rating was given, also those whole steps of the scale that never were.
std::vector<RatingCount> distribution(const Judgements& judgements, const PrepareOptions& options) {
  constexpr double kMostSteps = 20;
  std::map<double, std::size_t> counts;
  const bool whole =
      options.lowest == std::floor(options.lowest) && options.highest - options.lowest <= kMostSteps;
  for (double step = options.lowest; whole && step <= options.highest; ++step) counts[step] = 0;
  for (const auto& one : judgements) ++counts[one.rating];
  std::vector<RatingCount> list;
  for (const auto& [rating, count] : counts) list.push_back({rating, count});
  return list;
}

double entropy_bits(const std::vector<RatingCount>& distribution, std::size_t total) {
  double bits = 0;
  for (const RatingCount& one : distribution) {
    const double share = static_cast<double>(one.count) / static_cast<double>(total);
    if (share > 0) bits -= share * std::log2(share);
  }
  return bits;
}

template <class Key>
CountRange range_of(const std::map<Key, std::size_t>& counts) {
  CountRange range{std::numeric_limits<std::size_t>::max(), 0, 0};
  for (const auto& [key, count] : counts) {
    range.least = std::min(range.least, count);
    range.most = std::max(range.most, count);
    range.mean += static_cast<double>(count) / static_cast<double>(counts.size());
  }
  return range;
}

// The mean of `count` ratings on a scale from 0 to 1. Ratings of equal sums have equal means: nothing is
// rounded before the sum is complete.
double mean_on_scale(double sum, std::size_t count, const PrepareOptions& options) {
  const auto n = static_cast<double>(count);
  return std::clamp((sum - n * options.lowest) / (n * (options.highest - options.lowest)), 0.0, 1.0);
}

std::vector<PreparedCaption> average(RawRatings& raw, const Judgements& left, const PrepareOptions& options) {
  std::vector<double> sums(raw.captions.size(), 0);
  std::vector<std::size_t> counts(raw.captions.size(), 0);
  for (const auto& one : left) {
    sums[one.caption] += one.rating;
    ++counts[one.caption];
  }
  std::vector<PreparedCaption> captions;
  for (std::size_t i = 0; i < raw.captions.size(); ++i) {
    if (counts[i] == 0) continue;
    auto& [image, text, references] = raw.captions[i];
    captions.push_back({std::move(image), std::move(text), std::move(references),
                        mean_on_scale(sums[i], counts[i], options), counts[i]});
  }
  return captions;
}

void describe_result(const std::vector<PreparedCaption>& captions, PreparationReport& report) {
  std::map<std::string, std::size_t> per_image;
  std::map<std::size_t, std::size_t> per_caption;
  for (const PreparedCaption& caption : captions) {
    ++per_image[caption.image];
    per_caption[per_caption.size()] = caption.judgements;
  }
  report.images = per_image.size();
  report.captions_per_image = range_of(per_image);
  report.judgements_per_caption = range_of(per_caption);
}

}  // namespace

void check_options(const PrepareOptions& options) {
  if (!(options.lowest < options.highest) || !std::isfinite(options.highest - options.lowest)) {
    throw UsageError(fmt::format("the scale {} to {} is none; give the lowest and a higher rating, e.g. 1-5",
                                 options.lowest, options.highest));
  }
  constexpr double kLargest = 9007199254740992;  // up to here every whole number is one
  if (std::abs(options.lowest) >= kLargest || std::abs(options.highest) >= kLargest) {
    throw UsageError(
        fmt::format("the scale {} to {} is too large to count its steps; its ends must lie below {}",
                    options.lowest, options.highest, kLargest));
  }
  if (!(options.quick_share >= 0 && options.quick_share <= 1 && options.quick_seconds >= 0)) {
    throw UsageError(
        fmt::format("the limits of quick workers are {} of the usual time and {} s, expected a "
                    "share from 0 to 1 and seconds from 0 up",
                    options.quick_share, options.quick_seconds));
  }
}

PreparedRatings prepare_ratings(const std::string& path, const PrepareOptions& options) {
  check_options(options);
  RawRatings raw = io::read_raw_ratings(path, options.lowest, options.highest, options.references);
  PreparedRatings prepared;
  PreparationReport& report = prepared.report;
  const Judgements left = drop_workers(raw, options, report);
  if (left.empty()) {
    throw DataError(
        fmt::format("{}: all {} workers are too quick or constant, no judgement is left; choose other limits",
                    path, raw.workers.size()));
  }
  report.before = agreement(raw.judgements);
  report.after = agreement(left);
  report.distribution = distribution(left, options);
  report.entropy = entropy_bits(report.distribution, left.size());
  const auto steps = static_cast<double>(report.distribution.size());
  report.balance = steps > 1 ? report.entropy / std::log2(steps) : 0;
  prepared.captions = average(raw, left, options);
  report.captions_lost = raw.captions.size() - prepared.captions.size();
  describe_result(prepared.captions, report);
  return prepared;
}

}  // namespace capella
