#include "pipeline/composite_train.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/names.h"
#include "base/random.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "method/composite/pairing.h"
#include "method/composite/presets.h"
#include "method/composite/shapley.h"
#include "method/composite/train.h"
#include "pipeline/registry.h"
#include "stats/spread.h"

namespace capella {
namespace pipeline {
namespace {

namespace composite = method::composite;

// How a table's score becomes an input. Only the training captions are looked at.
composite::Input make_input(const CompositeDesign::Input& wanted, const io::FeatureTable& table,
                            const std::vector<bool>& held_out, bool standardize) {
  const std::size_t place = table.column(wanted.score);
  const io::FeatureColumn& column = table.columns[place];
  composite::Input input{column.score, column.metric, column.settings, column.choices};
  input.scale = wanted.scale;
  std::vector<double> values;
  for (std::size_t k = 0; k < table.rows(); ++k) {
    if (!held_out[k]) values.push_back(table.row(k)[place]);
  }
  const auto rows = static_cast<double>(values.size());
  input.mean = std::accumulate(values.begin(), values.end(), 0.0) / rows;
  if (!standardize) return input;
  if (const auto [low, high] = std::ranges::minmax(values); low == high) {
    throw DataError(
        fmt::format("{}: every training caption has the same {}, {}: it cannot be standardized; leave it out",
                    table.name, column.score, low));
  }
  double squares = 0;
  for (const double value : values) squares += (value - input.mean) * (value - input.mean);
  input.shift = input.mean;
  input.scale = 1 / std::sqrt(squares / rows);
  return input;
}

// The inputs of the rows for which `wanted` holds.
template <class Wanted>
composite::Examples examples_of(const io::FeatureTable& table, const std::vector<composite::Input>& inputs,
                                Wanted wanted) {
  composite::Examples examples;
  examples.inputs = inputs.size();
  std::vector<std::size_t> places;
  for (const composite::Input& input : inputs) places.push_back(table.column(input.score));
  for (std::size_t k = 0; k < table.rows(); ++k) {
    if (!wanted(k)) continue;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      examples.values.push_back((table.row(k)[places[i]] - inputs[i].shift) * inputs[i].scale);
    examples.targets.push_back(table.targets[k]);
  }
  return examples;
}

}  // namespace

std::vector<bool> draw_held_out(const io::FeatureTable& table, double share, std::uint64_t seed) {
  std::vector<std::string_view> images;
  std::map<std::string_view, bool> drawn;
  for (const std::string& image : table.images) {
    if (drawn.emplace(image, false).second) images.push_back(image);
  }
  Random random(seed);
  shuffle(images, random);
  const auto count = static_cast<std::size_t>(std::lround(share * static_cast<double>(images.size())));
  if (count == images.size()) {
    throw DataError(
        fmt::format("{}: all {} images are held out, expected one or more to learn from; hold "
                    "out a smaller share, or give more images",
                    table.name, images.size()));
  }
  for (std::size_t i = 0; i < count; ++i) drawn[images[i]] = true;
  std::vector<bool> rows;
  for (const std::string& image : table.images) rows.push_back(drawn[image]);
  return rows;
}

namespace {

// What is learnt from must not be what tells when to stop.
void check_images(const io::FeatureTable& features, const io::FeatureTable& validation) {
  std::set<std::string> learnt;
  for (const std::string& image : features.images) learnt.insert(composite::image_key(image));
  std::set<std::string> shared;
  for (const std::string& image : validation.images) {
    if (learnt.contains(composite::image_key(image))) shared.insert(image);
  }
  if (shared.empty()) return;
  const std::vector<std::string_view> names(shared.begin(), shared.end());
  throw DataError(fmt::format("{}: {} of its images are in {} too: {}; make that file again with --leave-out",
                              features.name, shared.size(), validation.name, list_names(names)));
}

void check_tables(const io::FeatureTable& features, const io::FeatureTable& validation) {
  if (features.targets_are != io::Targets::human) {
    throw DataError(
        fmt::format("{}: the rows do not say who wrote them, people or machines; make the file with "
                    "`capella composite features REFS HYPS...`",
                    features.name));
  }
  if (validation.targets_are != io::Targets::ratings) {
    throw DataError(
        fmt::format("{}: the rows have no human ratings; make the file with `capella composite features "
                    "--benchmark flickr8k-expert FOLDER`",
                    validation.name));
  }
  check_images(features, validation);
}

std::string_view tokenizer_family(std::string_view tokenizer) {
  return tokenizer == "ptb-iso" ? "ptb" : tokenizer;
}

// The validation scores must be made as the training scores were.
void check_same_scores(std::span<const composite::Input> inputs, std::string_view tokenizer,
                       const io::FeatureTable& table) {
  for (const composite::Input& input : inputs) {
    const io::FeatureColumn& column = table.columns[table.column(input.score)];
    if (column.choices == input.choices && column.settings == input.settings) continue;
    throw DataError(
        fmt::format("{}: its {} is '{}', but the network learns or learnt from '{}'; make the features again "
                    "with this version "
                    "of Capella",
                    table.name, input.score, column.choices, input.choices));
  }
  if (tokenizer_family(table.tokenizer) != tokenizer_family(tokenizer)) {
    throw DataError(fmt::format("{}: its captions were cut by the tokenizer {}, expected {}", table.name,
                                table.tokenizer, tokenizer));
  }
}

void check_options(const CompositeTraining& options) {
  if (options.seeds == 0 || options.seeds > kMostSeeds)
    throw UsageError(fmt::format("{} seeds, expected 1 to {}", options.seeds, kMostSeeds));
  if (!(options.held_out >= 0 && options.held_out <= 0.9))
    throw UsageError(fmt::format("held-out share {}, expected 0 to 0.9", options.held_out));
  if (!(options.rate > 0 && options.rate <= 1) || !(options.l2 >= 0 && options.l2 <= 1))
    throw UsageError("the rate must lie between 0 and 1, and so must l2");
  for (const std::size_t size : options.hidden) {
    if (size == 0 || size > 10'000)
      throw UsageError(fmt::format("a hidden layer of {} units, expected 1 to 10000", size));
  }
  if (options.most_epochs == 0 || options.stop_after == 0)
    throw UsageError("epochs and patience must be 1 or more");
}

// It stands in signatures, between '|'.
void check_name(std::string_view name) {
  const bool fits = !name.empty() && std::ranges::none_of(name, [](char c) {
    return c == '|' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (!fits) {
    throw UsageError(fmt::format(
        "'{}' cannot be the name of a score: expected one letter or more, without '|' and line ends",
        excerpt(name)));
  }
}

std::vector<CompositeDesign::Input> inputs_of(const std::vector<std::string>& scores) {
  std::vector<CompositeDesign::Input> inputs;
  for (const std::string& score : scores) {
    if (std::ranges::find(inputs, score, &CompositeDesign::Input::score) != inputs.end())
      throw UsageError(fmt::format("the score {} is given twice", score));
    inputs.push_back({score, score.starts_with("CIDEr") ? composite::kCiderScale : 1.0});
  }
  if (inputs.size() > composite::kMostInputs) {
    throw UsageError(fmt::format("{} scores to learn from, expected at most {}: more cannot be explained",
                                 inputs.size(), composite::kMostInputs));
  }
  return inputs;
}

}  // namespace

CompositeDesign design_of_preset(std::string_view name) {
  const composite::Preset& preset = composite::preset_by_name(name);
  CompositeDesign design{std::string(preset.score_name), {}, preset.hidden};
  for (const composite::PresetInput& input : preset.inputs)
    design.inputs.push_back({std::string(input.score), input.scale});
  return design;
}

CompositeDesign design_of(const CompositeTraining& options) {
  if (!is_model_file(options.output)) {
    throw UsageError(
        fmt::format("{}: a trained metric is known by its ending; name it NAME.safetensors", options.output));
  }
  if (!options.preset.empty() && !options.inputs.empty())
    throw UsageError("a preset has its scores: give a preset or a list of scores, not both");
  if (options.preset.empty() && options.inputs.empty())
    throw UsageError("give a preset (eval-ms ...) or a list of scores to learn from");
  CompositeDesign design;
  const std::string stem = std::filesystem::path(options.output).stem().string();
  if (!options.preset.empty()) {
    design = design_of_preset(options.preset);
    if (stem != options.preset) design.name = stem;  // so that it can stand beside the one that is shipped
  } else {
    design.inputs = inputs_of(options.inputs);
    design.hidden = options.hidden;
    design.name = stem;
  }
  if (!options.name.empty()) design.name = options.name;
  check_name(design.name);
  return design;
}

namespace {

// Everything that is the same for all seeds.
struct TrainingSet {
  std::vector<composite::Input> inputs;
  composite::Examples training;
  composite::Examples held_out;
  composite::Examples validation;
};

TrainingSet make_set(const CompositeDesign& design, const io::FeatureTable& features,
                     const io::FeatureTable& validation, const CompositeTraining& options) {
  const std::vector<bool> held_out = draw_held_out(features, options.held_out, options.seed);
  TrainingSet set;
  for (const CompositeDesign::Input& input : design.inputs)
    set.inputs.push_back(make_input(input, features, held_out, options.standardize));
  check_same_scores(set.inputs, features.tokenizer, validation);
  set.training = examples_of(features, set.inputs, [&](std::size_t k) { return !held_out[k]; });
  set.held_out = examples_of(features, set.inputs, [&](std::size_t k) { return held_out[k]; });
  set.validation = examples_of(validation, set.inputs, [](std::size_t) { return true; });
  return set;
}

CompositeSeed describe(const composite::Trained& trained, const TrainingSet& set, std::uint64_t seed) {
  CompositeSeed described;
  described.seed = seed;
  described.epochs = trained.epochs.size() - 1;
  described.best_epoch = trained.best;
  described.accuracy = set.held_out.rows() == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                : composite::accuracy(trained.network, set.held_out);
  described.training_accuracy = trained.epochs[trained.best].accuracy;
  described.tau_b = trained.epochs[trained.best].tau_b;
  described.tau_c = trained.epochs[trained.best].tau_c;
  for (const composite::Epoch& epoch : trained.epochs)
    described.curve.push_back({epoch.loss, epoch.accuracy, epoch.tau_b});
  return described;
}

composite::Origin origin_of(const CompositeSeed& seed, const io::FeatureTable& features,
                            const io::FeatureTable& validation) {
  composite::Origin origin;
  origin.data = features.source;
  origin.humans = validation.source;
  origin.seed = seed.seed;
  origin.epochs = seed.epochs;
  origin.validation_tau_b = seed.tau_b;
  origin.validation_tau_c = seed.tau_c;
  origin.held_out_accuracy = seed.accuracy;
  origin.version = kVersion;
  return origin;
}

SeedSpread spread_over(const std::vector<CompositeSeed>& seeds, double CompositeSeed::*what, std::string test,
                       std::string measure) {
  std::vector<double> values;
  for (const CompositeSeed& seed : seeds) values.push_back(seed.*what);
  return spread_of_seeds(std::move(test), std::move(measure), std::move(values));
}

std::vector<std::string> warnings_of(const TrainedComposite& trained, const TrainingSet& set) {
  const CompositeTrained& summary = trained.summary;
  const CompositeSeed& kept = summary.seeds[summary.best];
  const composite::Network& network = trained.models[summary.best].network;
  std::vector<std::string> warnings;
  if (!(kept.tau_b > 0)) {
    warnings.push_back(
        fmt::format("{}: the network disagrees with people: its tau-b with their ratings is "
                    "{:.4f}; do not use it to judge captions",
                    summary.name, kept.tau_b));
  }
  const bool one_of_training = sees_one_class(network, set.training);
  if (one_of_training || sees_one_class(network, set.held_out)) {
    warnings.push_back(fmt::format(
        "{}: the network that is kept puts all {} captions into one class: it has hardly learnt "
        "to tell people "
        "from machines; try other seeds or more captions, or make the features with --machines other",
        summary.name, one_of_training ? "training" : "held-out"));
  }
  return warnings;
}

// What the summary says of all seeds together.
void sum_up(TrainedComposite& trained, const TrainingSet& set) {
  CompositeTrained& summary = trained.summary;
  summary.spreads = {spread_over(summary.seeds, &CompositeSeed::accuracy, "held-out", "accuracy"),
                     spread_over(summary.seeds, &CompositeSeed::tau_b, "validation", "tau-b"),
                     spread_over(summary.seeds, &CompositeSeed::tau_c, "validation", "tau-c")};
  summary.warnings = warnings_of(trained, set);
}

CompositeTrained describe_data(const CompositeDesign& design, const TrainingSet& set,
                               const io::FeatureTable& features, const io::FeatureTable& validation) {
  CompositeTrained summary;
  summary.name = design.name;
  for (const composite::Input& input : set.inputs) summary.inputs.push_back(input.score);
  summary.human = static_cast<std::size_t>(std::ranges::count(set.training.targets, 1.0));
  summary.machine = set.training.rows() - summary.human;
  summary.held_out = set.held_out.rows();
  summary.validation = set.validation.rows();
  summary.source = features.source;
  summary.validation_source = validation.source;
  return summary;
}

}  // namespace

TrainedComposite train_design(const CompositeDesign& design, const io::FeatureTable& features,
                              const io::FeatureTable& validation, const CompositeTraining& options) {
  check_options(options);
  check_tables(features, validation);
  const TrainingSet set = make_set(design, features, validation, options);
  TrainedComposite result{describe_data(design, set, features, validation), {}};
  CompositeTrained& summary = result.summary;
  constexpr std::size_t kBatches = 20;
  const std::size_t batch =
      options.batch > 0 ? options.batch : (set.training.rows() + kBatches - 1) / kBatches;
  ThreadPool pool(options.threads);
  StepCounter steps(options.progress, fmt::format("training {}", design.name), options.seeds);
  for (std::size_t i = 0; i < options.seeds; ++i) {
    composite::TrainOptions training{design.hidden, options.seed + i,   options.rate, options.l2,
                                     batch,         options.most_epochs};
    training.stop_after = options.stop_after;
    composite::Trained trained = composite::train(set.training, set.validation, training, pool);
    const CompositeSeed& seed = summary.seeds.emplace_back(describe(trained, set, training.seed));
    result.models.push_back({design.name, std::string(tokenizer_family(features.tokenizer)), set.inputs,
                             std::move(trained.network), origin_of(seed, features, validation)});
    if (seed.tau_b > summary.seeds[summary.best].tau_b) summary.best = i;
    steps.done();
  }
  sum_up(result, set);
  return result;
}

SeedSpread spread_of_seeds(std::string test, std::string measure, std::vector<double> values) {
  const stats::Spread spread = stats::spread_of(values);
  return {std::move(test), std::move(measure), std::move(values), spread.mean, spread.deviation};
}

std::vector<double> score_table(const composite::Model& model, const io::FeatureTable& table) {
  check_same_scores(model.inputs, model.tokenizer, table);
  std::vector<std::size_t> places;
  for (const composite::Input& input : model.inputs) places.push_back(table.column(input.score));
  std::vector<double> scores;
  std::vector<double> row(places.size());
  for (std::size_t k = 0; k < table.rows(); ++k) {
    std::ranges::transform(places, row.begin(), [&](std::size_t place) { return table.row(k)[place]; });
    scores.push_back(composite::score(model, row));
  }
  return scores;
}

}  // namespace pipeline

std::vector<CompositePreset> composite_presets() {
  std::vector<CompositePreset> all;
  for (const method::composite::Preset& preset : method::composite::presets()) {
    CompositePreset& one = all.emplace_back();
    one.name = preset.name;
    one.score_name = preset.score_name;
    for (const method::composite::PresetInput& input : preset.inputs) one.inputs.emplace_back(input.score);
    one.hidden = preset.hidden;
  }
  return all;
}

CompositeTrained train_composite(const CompositeTraining& options) {
  const pipeline::CompositeDesign design = pipeline::design_of(options);
  pipeline::TrainedComposite trained = pipeline::train_design(design, io::read_features(options.features),
                                                              io::read_features(options.validation), options);
  pipeline::write_models(options.output, options.keep_all, trained);
  return trained.summary;
}

std::vector<std::string> composite_model_paths(const CompositeTraining& options) {
  return pipeline::model_paths(options.output, options);
}

ScoredFeatures score_features(const std::string& model_path, const std::string& features) {
  const method::composite::Model model = method::composite::read_model(model_path);
  const io::FeatureTable table = io::read_features(features);
  return {model.name,  table.ids,      table.systems, pipeline::score_table(model, table),
          table.pairs, table.rows_each};
}

}  // namespace capella
