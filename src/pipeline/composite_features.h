// Captions turned into tables of scores that composite metrics learn from and are fed with.
//
// First it is planned which captions are scored and how, which is cheap; then they are scored. A plan has a
// fingerprint, so that a table made earlier can be told from one of other captions or scores.
#pragma once

#include <string>
#include <vector>

#include "capella/composite.h"

#include "io/feature_table.h"

namespace capella::pipeline {

/// Everything about a table but the scores.
struct FeaturePlan {
  Dataset dataset;         ///< one row of the table for each of its captions, system by system
  io::FeatureTable table;  ///< without lengths and scores; `made_of` is there
  ScoreOptions run;        ///< that makes the scores
  FeatureSummary summary;  ///< rows, images and columns come with the scores
};

FeaturePlan plan_training(const TrainingCaptions& captions, const FeatureOptions& options);
FeaturePlan plan_benchmark(const MetaOptions& benchmark, const FeatureOptions& options);
FeaturePlan plan_captions(const Dataset& dataset, const FeatureOptions& options);

/// The table, and what is to be told of it in `plan.summary`.
io::FeatureTable make_table(FeaturePlan& plan);

/// All scores that presets want, each once.
std::vector<std::string> preset_scores();

}  // namespace capella::pipeline
