// The whole pre-gen protocol on a generated world: generators of every architecture trained to different
// quality, their captions scored and judged, and the question which pre-gen metric foretells it. See
// docs/pregen.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capella/pregen.h"
#include "capella/progress.h"

namespace capella {

struct PregenStudyOptions {
  std::string world;          ///< folder of a generated world; made if it is not there
  std::size_t images = 2000;  ///< of a world that is made
  std::string folder;         ///< for models, captions, the data file, reports; what lies there is used again
  std::size_t size = 64;      ///< of the networks
  /// Shares of the training images; each gives one generator per architecture, a run of its own.
  std::vector<double> shares = {1, .4, .2, .1, .05};
  std::size_t most_epochs = 30;
  std::size_t resamples = 1000;
  std::uint64_t seed = 12345;
  std::string device = "cpu";
  std::size_t threads = 0;
  Progress progress;
  std::function<void(const std::string&)> tell = {};  ///< is told what is being done; may be empty
};

/// One generator.
struct StudiedGenerator {
  std::string architecture;
  std::size_t run = 1;
  double share = 1;  ///< of the training images that it learnt from
  std::size_t parameters = 0;
  std::size_t epochs = 0;
  std::size_t best_epoch = 0;
  double validation_perplexity = 0;
  std::vector<double> post;   ///< of all test images, as PregenStudyResult::posts
  double perplexity = 0;      ///< of all test captions
  double best_metric = 0;     ///< the paper's best, kBestPregenMetric
  double metric_seconds = 0;  ///< probabilities of all test captions, and the 504 metrics of them
  double generation_seconds = 0;
  double scoring_seconds = 0;  ///< of the generated captions, by all post-gen scores, from their file
};

struct PregenStudyResult {
  std::size_t training_images = 0;
  std::size_t test_images = 0;
  std::size_t test_captions = 0;
  std::size_t vocabulary = 0;
  std::vector<std::string> posts;  ///< METEOR, CIDEr, SPICE, WMD, Judges
  std::vector<StudiedGenerator> generators;
  std::vector<PregenCorrelations> correlations;  ///< one per post-gen score
  std::vector<std::string> findings;             ///< sentences
  std::vector<std::string> warnings;             ///< why to read the figures with care
  std::string data_file;
};

/// Throws UsageError if the folder holds a study with other options.
PregenStudyResult study_pregen(const PregenStudyOptions& options);

}  // namespace capella
