// Networks trained on tables of features, several seeds side by side.
#pragma once

#include <string>
#include <vector>

#include "capella/composite.h"

#include "io/feature_table.h"
#include "method/composite/model.h"

namespace capella::pipeline {

inline constexpr std::size_t kMostSeeds = 1000;

/// Which scores go into a network.
struct CompositeDesign {
  std::string name;  ///< of the score
  struct Input {
    std::string score;
    double scale;
  };
  std::vector<Input> inputs;
  std::vector<std::size_t> hidden;
};

/// The design that the options name: a preset's, or one from a list of scores.
CompositeDesign design_of(const CompositeTraining& options);
CompositeDesign design_of_preset(std::string_view preset);

/// What was trained, and the model of each seed.
struct TrainedComposite {
  CompositeTrained summary;  ///< paths are empty
  std::vector<method::composite::Model> models;
};

/// Of `options` only how to train counts.
TrainedComposite train_design(const CompositeDesign& design, const io::FeatureTable& features,
                              const io::FeatureTable& validation, const CompositeTraining& options);

/// Which rows are held out: those of a share of the images, drawn at random. Captions of one image share
/// their references, so they stay together. Throws DataError if no image would be left.
std::vector<bool> draw_held_out(const io::FeatureTable& table, double share, std::uint64_t seed);

/// Writes the best model to `output` and, if all are kept, each seed's beside it, as NAME-SEED.safetensors;
/// the summary's paths are filled in. Then removes files of that form that an earlier run left.
void write_models(const std::string& output, bool keep_all, TrainedComposite& trained);

/// The files that write_models() will write.
std::vector<std::string> model_paths(const std::string& output, const CompositeTraining& options);

SeedSpread spread_of_seeds(std::string test, std::string measure, std::vector<double> values);

/// P(human) of each row. Throws DataError if the table's scores were not made as the model's were.
std::vector<double> score_table(const method::composite::Model& model, const io::FeatureTable& table);

}  // namespace capella::pipeline
