// From raw judgements to a benchmark: careless workers are left out, the others' ratings are averaged.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace capella {

struct PrepareOptions {
  double lowest = 1;            ///< the scale of the ratings
  double highest = 5;           ///< its upper end
  std::string references = {};  ///< captions by image for a file that has no references; else empty

  /// A worker whose median time is below this share of what is usual (the median of the workers' medians), or
  /// below so many seconds, was too quick to look. 0: the rule is off.
  double quick_share = 0.25;
  double quick_seconds = 0;

  /// A worker who gave one and the same rating to all of at least so many captions did not rate them. 0: the
  /// rule is off.
  std::size_t constant_from = 10;
};

struct PreparedCaption {
  std::string image;
  std::string caption;
  std::vector<std::string> references;
  double score;            ///< mean rating, 0 at the lower end of the scale and 1 at the upper
  std::size_t judgements;  ///< how many the mean is over
};

struct DroppedWorker {
  std::string worker;
  std::size_t judgements;
  std::string why;
};

/// How well workers agree. What is not defined, since too few of them rated the same captions, is NaN.
struct WorkerAgreement {
  double alpha_interval;  ///< Krippendorff's alpha
  double alpha_ordinal;
  double pearson;     ///< mean over pairs of workers with at least three captions in common
  double kendall_b;   ///< likewise
  std::size_t pairs;  ///< of workers
  std::size_t workers;
  std::size_t judgements;
};

struct RatingCount {
  double rating;
  std::size_t count;
};

/// The smallest, the mean and the largest of many counts.
struct CountRange {
  std::size_t least;
  double mean;
  std::size_t most;
};

struct PreparationReport {
  WorkerAgreement before;
  WorkerAgreement after;
  std::vector<DroppedWorker> dropped;
  double usual_seconds;  ///< median of the workers' median times; NaN if the file has no times
  double quick_limit;    ///< the limit that follows from it; 0 if there is none
  std::size_t images;
  std::size_t captions_lost;              ///< captions that only dropped workers had judged
  std::vector<RatingCount> distribution;  ///< of the ratings that are left, every step of the scale
  double entropy;                         ///< of the distribution, in bits
  double balance;                         ///< entropy over what equal shares would have; 1 is even
  CountRange captions_per_image;
  CountRange judgements_per_caption;
};

struct PreparedRatings {
  std::vector<PreparedCaption> captions;  ///< in order of first appearance
  PreparationReport report;
};

/// Reads CSV, TSV, JSON lines or a JSON list with a judgement per row. Throws UsageError for a scale that is
/// none, DataError for malformed rows and if nothing is left.
PreparedRatings prepare_ratings(const std::string& path, const PrepareOptions& options);

/// Throws UsageError if the options cannot be used, whatever the data.
void check_options(const PrepareOptions& options);

}  // namespace capella
