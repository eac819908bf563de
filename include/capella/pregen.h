// Pre-gen metrics: judge a caption generator by the probabilities it gives to captions that people wrote,
// before it writes any. See docs/pregen.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capella/dataset.h"
#include "capella/interval.h"
#include "capella/pipeline.h"
#include "capella/progress.h"
#include "capella/token_probabilities.h"

namespace capella {

/// The metric that the paper found best, with every score.
inline constexpr const char* kBestPregenMetric = "mean_max_normcount_prefix0";
/// The perplexity of language models.
inline constexpr const char* kPregenPerplexity = "geomean_join_pplx_none";

/// All pre-gen metrics of one generator.
struct PregenMetrics {
  std::string system;  ///< the file's name without folder and ending
  std::vector<double> values;
};
/// Names and order of PregenMetrics::values, as published.
const std::vector<std::string>& pregen_metric_names();
/// From a file of token probabilities. `paper`: filter0 as the paper words it, not as its program has it.
PregenMetrics pregen_metrics(const std::string& probabilities, bool paper = false);
/// From memory. `system` names them in the result and in messages. Throws DataError that names the image,
/// caption and word (counted from 1) of what is no probability.
PregenMetrics pregen_metrics(const TokenProbabilities& probabilities, const std::string& system,
                             bool paper = false);

/// How captions and probabilities of generators are turned into the rows of a data file.
struct StrataOptions {
  /// The rows' data set. A system named ARCHITECTURE_RUN or DATASET_ARCHITECTURE_RUN gives these columns, any
  /// other name is the architecture, of run 1. Empty: as the names tell, else "data".
  std::string data_set;
  std::vector<std::string>
      probabilities;  ///< FILE or NAME=FILE for every system; empty: post-gen scores only
  std::size_t most_strata = 5;
  /// Columns: CIDEr (which is CIDEr-D) and other names of scores. WMD takes raw vectors unless `settings` say
  /// otherwise.
  std::vector<std::string> scores = {"METEOR", "CIDEr", "SPICE", "WMD"};
  std::vector<GivenScores> given = {};  ///< further columns: a stratum's mean of what each image was given
  std::string tokenizer =
      "karpathy";           ///< makes the study's tokens of raw captions, and leaves tokens as they are
  std::string df = "refs";  ///< CIDEr's document frequencies: of the stratum's references, or a table's
  std::vector<std::string> settings;  ///< METRIC.KEY=VALUE
  std::string cache;                  ///< a folder that keeps parsed captions for later runs; empty: none
  bool paper_filter0 = false;
  std::size_t threads = 0;
  Progress progress;
  std::function<void(const std::string&)> warn = {};  ///< is told what the user should know; may be empty
};
/// The data file's text: for every system of the data set its images, sorted by the CIDEr of their captions
/// and cut into 1 ... `most_strata` strata, a row each.
std::string pregen_strata(const Dataset& dataset, const StrataOptions& options);
/// Throws UsageError or FileError if the options cannot be run, whatever the data.
void check_strata_options(const StrataOptions& options);

/// Correlation of a post-gen score with one pre-gen metric.
struct PregenCorrelation {
  double r_squared, r, p;
  std::size_t rank = 0;  ///< by R^2 among all metrics of the selection; 1: the best; equal ones share it
  Interval interval = {0, 0};  ///< of R^2, 95 %, by bootstrap of systems; NaN if there is none
};

/// How much better than perplexity another metric is, by R^2.
struct PregenComparison {
  std::string metric;
  std::string baseline;
  double difference;
  Interval interval;   ///< 95 %
  double p;            ///< paired bootstrap of systems, two-sided
  double p_corrected;  ///< after Holm, over the selections
  Verdict verdict = Verdict::undecided;
};

/// The rows as points, with a line of least squares for each selection.
struct PregenScatter {
  struct Point {
    std::string dataset, architecture, run;
    std::size_t strata, stratum;
    double metric, post;
  };
  struct Line {
    double slope, intercept, r_squared;  ///< NaN if the metric was left out
  };
  std::string metric;
  std::vector<Point> points;
  std::vector<Line> lines;  ///< one per selection
};

/// Correlation of a post-gen score with every pre-gen metric.
struct PregenCorrelations {
  std::string post;
  std::vector<std::string> selections;  ///< data sets, the last of the files first, then "all"
  std::vector<std::size_t> row_counts;  ///< of the selections
  std::vector<std::size_t> systems;     ///< of the selections: what is drawn to get intervals
  struct Row {
    std::string metric;
    std::vector<PregenCorrelation> in;  ///< one per selection
  };
  std::vector<Row> rows;              ///< in the order of the columns; those left out are not there
  std::vector<std::string> infinite;  ///< left out: not finite somewhere
  std::vector<std::string> constant;  ///< left out: (nearly) constant somewhere
  /// Of the best other metric with perplexity, one per selection. Which is the best was found in the same
  /// rows, which flatters it. Empty without perplexity or resamples.
  std::vector<PregenComparison> comparisons;
  /// Of the metric that the paper found best, which these rows did not choose; empty also if it was left out.
  std::vector<PregenComparison> published;
  std::vector<std::string> posts;  ///< all post-gen scores
  /// R^2 between post-gen scores over all rows, posts x posts.
  std::vector<double> between_posts;
  std::vector<PregenScatter> scatters;  ///< of the metrics that were asked for
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> warnings;
};

struct PregenCorrelationOptions {
  std::size_t resamples = 1000;  ///< of systems; 0: no intervals and no tests
  std::uint64_t seed = 12345;
  std::size_t threads = 0;
  bool scatters = false;  ///< with the points of `metrics` (if none: the best) and of perplexity
  std::vector<std::string> metrics = {};
};
PregenCorrelations correlate_pregen(const std::vector<std::string>& data_files, const std::string& post,
                                    const PregenCorrelationOptions& options = {});
/// ... with several post-gen scores, which are read once; without names with all but those that are not
/// finite or the same everywhere, of which the results' warnings tell.
std::vector<PregenCorrelations> correlate_pregen_scores(const std::vector<std::string>& data_files,
                                                        const std::vector<std::string>& posts,
                                                        const PregenCorrelationOptions& options = {});

/// Training, and asking trained generators.
struct GeneratorInputs {
  std::string dataset;   ///< Karpathy's dataset.json
  std::string features;  ///< .npy or .mat, one row per image of the data set
  std::string variable;  ///< of a .mat file; empty: `feats`, or the only one
};

struct GeneratorTraining {
  GeneratorInputs inputs;
  std::string architecture = "init";
  std::string output;             ///< the model; beside it OUTPUT.checkpoint while it is trained
  bool restart = false;           ///< begins anew although there is a checkpoint
  std::size_t size = 0;           ///< 0: the authors'
  std::size_t batch = 0;          ///< 0: the authors'
  std::size_t most_epochs = 100;  ///< 0: the network stays untrained
  std::size_t least_count = 5;    ///< rarer words are unknown
  double share = 1;               ///< of the training images that is learnt from; words are those of all
  std::uint64_t seed = 12345;
  std::string device = "cpu";
  std::size_t threads = 0;
  Progress progress;
  std::function<void(const std::string&)> tell = {};  ///< is told of each epoch; may be empty
};

struct GeneratorEpoch {
  double loss;        ///< mean of the batches; of the epoch 0, before any training, NaN
  double perplexity;  ///< of the validation images' first captions
};

struct GeneratorTrained {
  std::string architecture;
  std::size_t parameters = 0;
  std::size_t vocabulary = 0;
  std::size_t training_images = 0;
  std::size_t training_captions = 0;
  std::size_t validation_images = 0;
  std::vector<GeneratorEpoch> epochs;  ///< epoch 0 first
  std::size_t best_epoch = 0;
  bool resumed = false;
  double seconds = 0;  ///< of this run, without reading
};
/// Networks are in the torch plug-in; without it FileError is thrown. A training that was killed goes on from
/// its checkpoint.
GeneratorTrained train_generator(const GeneratorTraining& options);

struct GeneratorRun {
  std::string model;
  GeneratorInputs inputs;
  std::string split = "test";
  std::string output;
  std::string device = "cpu";
  std::size_t threads = 0;
  Progress progress;
};

struct ProbabilityRun {
  std::size_t images = 0;
  std::size_t captions = 0;
  std::size_t words = 0;    ///< ends of captions included
  std::size_t unknown = 0;  ///< words that the generator does not know
  double perplexity = 0;    ///< the geometric mean of the captions'
  double seconds = 0;       ///< without reading and writing
};
/// Writes token probabilities, JSON if the output ends in .json, else the binary layout.
ProbabilityRun generator_probabilities(const GeneratorRun& run);

/// Beam search.
struct GenerationOptions {
  std::size_t beam = 0;         ///< 0: the authors' for the model's architecture
  std::size_t least_words = 4;  ///< a caption may end after so many
  std::size_t most_words = 50;  ///< ... and ends after so many
};

struct GenerationRun {
  std::size_t images = 0;
  std::size_t words = 0;  ///< ends of captions not included
  std::size_t beam = 0;
  std::size_t different = 0;  ///< captions
  double seconds = 0;
};
/// Writes captions as a list of {image_id, caption}.
GenerationRun generate_captions(const GeneratorRun& run, const GenerationOptions& options = {});

/// What the torch plug-in is and where; throws FileError that says how to get it.
std::string generator_plugin();

}  // namespace capella
