// Composite metrics: small networks that fuse several scores, trained to tell human captions from machine
// ones (Eval_*, NNEval, LCEval). See docs/composite.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capella/meta.h"
#include "capella/pipeline.h"

namespace capella {

/// A composite metric that has a name.
struct CompositePreset {
  std::string name;                 ///< e.g. "eval-ms"
  std::string score_name;           ///< e.g. "Eval-MS"
  std::vector<std::string> inputs;  ///< score names
  std::vector<std::size_t> hidden;  ///< sizes of the hidden layers
};
std::vector<CompositePreset> composite_presets();

/// How scores are turned into a file of features.
struct FeatureOptions {
  std::vector<std::string> scores;  ///< names of scores, e.g. "METEOR"; empty: all that presets want
  ScoreOptions run;                 ///< tokenizer, cache, threads and progress count
  std::string output;
};

/// Captions of people and machines to learn from.
struct TrainingCaptions {
  Dataset dataset;     ///< references: what people wrote; systems: what machines wrote
  std::string source;  ///< where they come from, in words
  std::vector<std::string>
      left_out;              ///< names of images, in any of COCO's spellings, that must not be learnt from
  std::size_t captions = 5;  ///< per image that count
  std::size_t humans = 3;    ///< of these that are candidates
  /// Machine captions are those that the machine wrote for another image, any or one that is alike, instead
  /// of for the image they are held against.
  bool other_images = true;
  std::uint64_t seed = 12345;
};

struct FeatureSummary {
  std::size_t rows = 0;
  std::size_t images = 0;
  std::size_t human = 0;     ///< rows written by people, of captions to learn from
  std::size_t left_out = 0;  ///< images that must not be learnt from
  std::size_t too_few = 0;   ///< images with too few human captions
  std::vector<std::string> columns;
  std::vector<std::string> warnings;
};

/// Throws UsageError, FileError or DataError.
FeatureSummary write_training_features(const TrainingCaptions& captions, const FeatureOptions& options);
/// The captions of a benchmark, with people's ratings if it has ratings (of Flickr8k-Expert one row per
/// caption, with the mean of the three judges). Of `benchmark` only what names the data counts.
FeatureSummary write_benchmark_features(const MetaOptions& benchmark, const FeatureOptions& options);
/// The captions of all systems, without targets.
FeatureSummary write_caption_features(const Dataset& dataset, const FeatureOptions& options);

/// The names of a benchmark's images, to be left out of training.
std::vector<std::string> benchmark_images(const MetaOptions& benchmark);

struct CompositeTraining {
  std::string features;             ///< a file of human and machine captions
  std::string validation;           ///< a file of captions with ratings; these end the training
  std::string preset;               ///< or empty, and then:
  std::vector<std::string> inputs;  ///< score names; CIDEr's are divided by 10
  std::vector<std::size_t> hidden = {72, 72};
  std::string name;    ///< of the score; empty: the output's, without folder and ending (a preset's own if it
                       ///< is eval-ms.safetensors ...)
  std::string output;  ///< the model's file
  /// Also the model of each seed, beside it, as NAME-SEED.safetensors. Such files that an earlier run left
  /// for other seeds are removed.
  bool keep_all = false;
  std::size_t seeds = 5;  ///< networks trained; the one that agrees best with the validation ratings is kept
  std::uint64_t seed = 12345;
  double held_out = 0.1;     ///< share of the images on which accuracy is measured
  bool standardize = false;  ///< inputs with mean 0 and deviation 1
  double rate = 1e-3;
  double l2 = 1e-4;
  std::size_t batch = 0;  ///< 0: a twentieth of the training captions, as the papers have it
  std::size_t most_epochs = 700;
  std::size_t stop_after = 20;
  std::size_t threads = 0;
  Progress progress;
};

struct CompositeEpoch {
  double loss;
  double accuracy;
  double tau_b;
};

/// One network.
struct CompositeSeed {
  std::uint64_t seed = 0;
  std::size_t epochs = 0;      ///< trained
  std::size_t best_epoch = 0;  ///< kept
  double accuracy = 0;         ///< on held-out captions; NaN if none were held out
  double training_accuracy = 0;
  double tau_b = 0;  ///< with the validation ratings
  double tau_c = 0;
  std::string path;  ///< of the model, without the seed for the best; empty if it was not kept
  std::vector<CompositeEpoch> curve;
};

/// A measure of the networks of all seeds.
struct SeedSpread {
  std::string test;            ///< e.g. "Composite", "held-out", "validation"
  std::string measure;         ///< e.g. "tau-b"
  std::vector<double> values;  ///< one per seed
  double mean = 0;
  double deviation = 0;  ///< n - 1; 0 for one seed
};

struct CompositeTrained {
  std::string name;
  std::vector<std::string> inputs;
  std::size_t human = 0;  ///< training captions
  std::size_t machine = 0;
  std::size_t held_out = 0;
  std::size_t validation = 0;
  std::string source;  ///< of the training captions
  std::string validation_source;
  std::vector<CompositeSeed> seeds;
  std::size_t best = 0;                    ///< a place in `seeds`
  std::vector<SeedSpread> spreads;         ///< held-out accuracy, validation tau-b and tau-c
  std::vector<std::string> warnings = {};  ///< why the network that is kept may be of no use
};

CompositeTrained train_composite(const CompositeTraining& options);

/// The files that train_composite() will write: the model, and NAME-SEED.safetensors for each seed if all are
/// kept.
std::vector<std::string> composite_model_paths(const CompositeTraining& options);

/// P(human) of every row of a file of features. Throws DataError if the features were not made as those the
/// model was trained on.
struct ScoredFeatures {
  std::string name;  ///< of the score
  std::vector<std::string> ids;
  std::vector<std::string> systems;
  std::vector<double> scores;
  bool pairs = false;         ///< rows 2k and 2k + 1 are pair k of a benchmark
  std::size_t rows_each = 1;  ///< rows of a benchmark's file that a row stands for
};
ScoredFeatures score_features(const std::string& model, const std::string& features);

/// The whole study: features, all presets with several seeds, agreement with people.
struct StudyOptions {
  TrainingCaptions captions;   ///< images of the test benchmarks are left out by themselves
  std::string flickr8k;        ///< folder; ends the training
  std::string composite;       ///< file; may be empty
  std::string pascal50s;       ///< file; may be empty
  std::string folder;          ///< for features, models and reports; features that fit are not made again
  CompositeTraining training;  ///< how networks are trained
  ScoreOptions run;            ///< cache, threads and progress count
  std::optional<std::size_t> resamples;
  /// Is told what is worth knowing before the work, e.g. that features are used again; may be empty.
  std::function<void(const std::string&)> tell = {};
};

struct StudyPreset {
  CompositeTrained trained;
  std::vector<SeedSpread> spreads;  ///< of training and of each test: the same measures for all presets
};

/// How a score, or people's ratings, go with the length of captions.
struct LengthEffect {
  std::string score;
  double spearman = 0;        ///< with the number of words
  std::vector<double> means;  ///< per class of StudyResult::length_classes, in deviations from the mean
};

struct StudyResult {
  std::string source;
  std::vector<StudyPreset> presets;
  std::vector<MetaResult> tests;  ///< single scores and the kept network of each preset
  std::vector<std::string> test_names;
  std::vector<std::string> length_classes;
  std::vector<std::size_t> length_rows;  ///< captions in each class
  std::vector<LengthEffect> lengths;
  std::vector<std::string> findings;  ///< sentences
  std::vector<std::string> warnings;
};

/// Makes the study's folders and returns the files that it will write there. Throws UsageError for options
/// that cannot be, FileError if a folder cannot be made or written.
std::vector<std::string> prepare_study(const StudyOptions& options);

StudyResult study_composites(const StudyOptions& options);

}  // namespace capella
