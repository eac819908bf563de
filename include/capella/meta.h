// Does a metric agree with people? Scores of captions held against human judgements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capella/interval.h"
#include "capella/pipeline.h"

namespace capella {

/// Scores from elsewhere that are in memory: one number per row, the same for every number of references.
struct GivenSeries {
  std::string name;
  std::vector<double> values;  ///< of pairs: pair k has the places 2k and 2k + 1
};

struct MetaOptions {
  std::string benchmark;            ///< as benchmark_list() has it
  std::string path;                 ///< the benchmark's folder or file
  std::string references;           ///< captions for a file that has none; mostly empty
  std::string images;               ///< the pictures, as with_images takes them, by the images' names
  ScoreOptions score;               ///< which metrics, and how; none if only other scores are asked for
  std::vector<GivenSeries> given;   ///< after the metrics
  std::vector<std::string> scores;  ///< scores of other programs, each FILE or NAME=FILE, after these
  /// Of images. Nothing: 1000, or as many as it takes that the tests between many metrics can find something.
  std::optional<std::size_t> resamples;
  std::uint64_t seed = 12345;
  /// Follow the programs behind published figures where these differ from the protocol's words (Flickr8k-CF:
  /// every judged caption takes one text equal to it out of its image's references).
  bool as_published = false;
  /// Data sets of a benchmark made of several that are left out, e.g. "flickr8k" of Composite. Scores from
  /// elsewhere still have one number for each row of the whole file.
  std::vector<std::string> without;
  std::size_t cases = 0;  ///< so many captions that a metric rates too high, and as many too low
};

/// The names of the benchmarks.
std::vector<std::string> benchmark_list();

/// The benchmark's rows with all their references, and their captions as the only system; ids are the rows'
/// numbers from 0. Of `options` only what names the data counts.
Dataset benchmark_dataset(const MetaOptions& options);

struct Estimate {
  double value;
  Interval interval;  ///< 95 %, by bootstrap of images
};

/// How one score agrees with people.
struct Agreement {
  std::string metric;                  ///< the score's name, e.g. "BLEU-4"
  std::string signature;               ///< empty for scores of another program
  std::vector<Estimate> estimates;     ///< one for each of MetaResult::measures
  std::vector<double> p_values;        ///< of coefficients, rows taken as independent; empty for pairs
  std::vector<std::size_t> ties;       ///< of pairs: per category how many got the same score twice
  std::optional<double> milliseconds;  ///< per row, from text to score; nothing for other programs' scores
  double slope = 0;                    ///< of the line of least squares through ratings and scores
  double intercept = 0;                ///< likewise
};

/// How two scores differ in their agreement.
struct AgreementDifference {
  std::size_t first;   ///< a place in MetaResult::metrics
  std::size_t second;  ///< likewise
  double value;        ///< of the main measure
  Interval interval;
  double p;            ///< paired bootstrap of images, two-sided
  double p_corrected;  ///< after Holm, over all pairs of scores
  double
      p_williams;  ///< Williams' test of the Pearson coefficients, rows taken as independent; NaN for pairs

  Verdict verdict = Verdict::undecided;
};

/// A caption whose score and human judgement are far apart; places are shares of captions below, 0 ... 1.
struct MetaCase {
  std::size_t metric;  ///< whose case it is: a place in MetaResult::metrics
  bool too_high;
  std::string image;
  std::string caption;
  std::string other;                 ///< of pairs: the caption that people preferred
  double human;                      ///< mean rating; of pairs 0
  double human_place;                ///< of pairs 0
  double score_place;                ///< of pairs how far the wrong caption stands above the right one
  std::vector<double> scores;        ///< of all metrics; of pairs of the wrong caption
  std::vector<double> other_scores;  ///< of pairs: of the right caption
};

struct MetaResult {
  std::string benchmark;
  std::string title;
  std::string version;     ///< which labels or ratings
  bool published = false;  ///< whether published figures are about this data, as far as its size tells
  std::size_t rows = 0;
  std::size_t pairs = 0;  ///< 0 for ratings
  /// Of pairs: how many each category has, as measures are ordered.
  std::vector<std::size_t> category_pairs = {};
  bool half_ties = false;  ///< of pairs: a tie counts half, and not as wrong
  std::size_t images = 0;
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> measures;  ///< kendall_b ... spearman; of pairs the categories and "mean"
  std::size_t main_measure = 0;       ///< which of them papers print and differences are about
  std::vector<Agreement> metrics;
  std::vector<AgreementDifference> differences;
  std::string undecided;  ///< why no difference between metrics is called real; empty if tests can tell
  std::vector<MetaCase> cases;
  std::vector<std::string> notes;  ///< what the protocol did
  std::vector<std::string> warnings;
  std::vector<double> ratings;              ///< per row; empty for pairs
  std::vector<std::vector<double>> values;  ///< per metric, per row
};

/// Throws UsageError, FileError or DataError.
MetaResult evaluate_metrics(const MetaOptions& options);

/// Throws UsageError if the options cannot be run, whatever the data.
void check_options(const MetaOptions& options);
/// Throws UsageError, with the nearest name, if there is no such benchmark.
void check_benchmark_name(std::string_view name);

}  // namespace capella
