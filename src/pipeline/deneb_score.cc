// Scores of learned metrics: on the CPU without torch or, if asked for, by the plug-in.
#include <algorithm>

#include <fmt/format.h>

#include "capella/deneb.h"
#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/version.h"

#include "base/names.h"
#include "method/deneb/deneb_metric.h"
#include "method/deneb/encoder_use.h"
#include "method/deneb/scorer.h"
#include "method/training_loop.h"
#include "pipeline/deneb_features.h"
#include "pipeline/network_training.h"
#include "pipeline/plugin.h"
#include "pipeline/registry.h"

namespace capella {
namespace pipeline {
namespace {

namespace deneb = method::deneb;

// Whether captions of a batch are cut to the references of the one with the fewest.
bool cuts_references(const DenebScoring& options) {
  constexpr std::string_view kPolicies[] = {"all", "zip-min"};
  if (options.references.empty()) return options.parity;
  if (std::ranges::find(kPolicies, options.references) == std::end(kPolicies))
    throw UsageError(unknown_name_message("policy for references", options.references, kPolicies));
  if (options.parity && options.references == "all")
    throw UsageError(
        "--parity cuts captions of a batch to as many references as the one with the fewest has, but "
        "--refs-policy all keeps them; leave out one of the two");
  return options.references == "zip-min";
}

deneb::Model read_network(const DenebScoring& options) {
  deneb::ModelReading reading;
  if (options.heads > 0) reading.heads = options.heads;
  deneb::Model file = deneb::read_model(learned_model(options.model), reading);
  if (options.heads > 0) deneb::refuse_heads(options.model, file, "--heads");
  return file;
}

// The network as it is to be used.
deneb::Model used_model(deneb::Model file, const DenebScoring& options) {
  deneb::Model model = deneb::stable(std::move(file));
  if (options.parity) model.recipe.mix = deneb::MixStatistics::batch;
  model.recipe.cut_references = cuts_references(options);
  return model;
}

// What the network cannot look at is not taken for something that counts.
void refuse_unused(const Dataset& dataset, const DenebScoring& options, const deneb::Recipe& recipe) {
  const auto refuse = [&](const char* what, const char* option) {
    throw UsageError(fmt::format("{} was trained without {}: leave out {}", options.model, what, option));
  };
  if (recipe.clip_width == 0 && !options.encoders.clip.empty()) refuse("a CLIP model", "--clip");
  if (recipe.sentence_width == 0 && !options.encoders.text.empty()) refuse("a sentence encoder", "--text");
  if (!recipe.image && !dataset.images().empty()) refuse("images", "--images");
}

// The encoders that the network was trained with.
DenebEncoders needed_encoders(const DenebScoring& options, const deneb::Recipe& recipe) {
  DenebEncoders needed = options.encoders;
  needed.vectors = recipe.sentence_layers > 1 ? "mix" : "pooled";
  if (recipe.clip_width > 0 && needed.clip.empty())
    throw UsageError(
        fmt::format("{} needs the CLIP model that it was trained with: give --clip DIR", options.model));
  if (recipe.sentence_width > 0 && needed.text.empty())
    throw UsageError(fmt::format("{} needs the sentence encoder that it was trained with: give --text DIR",
                                 options.model));
  return needed;
}

void check_dataset(const Dataset& dataset, const DenebScoring& options, const deneb::Recipe& recipe) {
  if (dataset.systems().empty()) throw DataError("no captions to score: give at least one system");
  if (recipe.image && dataset.images().empty())
    throw UsageError(
        fmt::format("{} looks at the pictures, and none are named; give --images DIR, a folder with files "
                    "named by ids, or a "
                    "file of ids and paths",
                    options.model));
  expect_references(dataset, "references");
}

// From vectors to scores, wherever.
class Engine {
 public:
  Engine(const deneb::Model& model, const DenebScoring& options, const deneb::Features& features,
         ThreadPool& pool)
      : features_(features), options_(options), pool_(pool) {
    if (options.device == "cpu") {
      scorer_ = std::make_unique<const deneb::Scorer>(model, options.model);
      return;
    }
    network_ = load_deneb().make(model.recipe, options.device, model.facts.seed, options.threads);
    try {
      network_->set_arrays(model.arrays);
    } catch (const DataError& error) {
      throw FileError(fmt::format("{}: {}; train it again", options.model, error.what()));
    }
    loaded_ = network_->load(features);
  }

  std::vector<double> scores(const deneb::Samples& samples, const std::string& system) const {
    deneb::PredictOptions how;
    how.batch = options_.batch;
    const auto steps = method::steps_of(options_.progress, fmt::format("scoring {}", system));
    if (scorer_) return scorer_->scores(features_, samples, how, pool_, steps);
    return network_->predict(*loaded_, samples, how, steps);
  }

 private:
  const deneb::Features& features_;
  const DenebScoring& options_;
  ThreadPool& pool_;
  std::unique_ptr<const deneb::Scorer> scorer_;
  std::unique_ptr<deneb::Network> network_;
  std::unique_ptr<const deneb::LoadedFeatures> loaded_;
};

std::string signature_of(const deneb::Model& model, const DenebScoring& options, std::uint64_t fingerprint) {
  std::string signature = fmt::format("{}|{}", deneb::score_name(model.recipe.architecture),
                                      deneb::model_choices(model, fingerprint));
  if (model.recipe.cut_references) signature += "|refs-policy:zip-min";
  if (options.parity || model.recipe.cut_references)
    signature += fmt::format("|batch:{}", options.batch > 0 ? options.batch : 32);
  if (options.device != "cpu") signature += fmt::format("|device:{}", options.device);
  return signature + fmt::format("|capella:{}", kVersion);
}

std::vector<std::string> warnings_of(const Dataset& dataset, const deneb::Model& model) {
  std::vector<std::size_t> counts;
  for (std::size_t item = 0; item < dataset.size(); ++item) counts.push_back(dataset.references(item).size());
  return deneb::use_warnings(deneb::score_name(model.recipe.architecture), model, counts);
}

// The scores as a result like any other: means over items, intervals, what was skipped.
Result finished(const Dataset& dataset, GivenScores scores, const DenebScoring& options) {
  ScoreOptions given;
  given.tokenizer = "none";
  given.threads = options.threads;
  given.intervals = options.intervals;
  given.given.push_back(std::move(scores));
  return score(dataset, given);
}

}  // namespace
}  // namespace pipeline

Result score_deneb(const Dataset& dataset, const DenebScoring& options) {
  using namespace pipeline;
  check_device(options.device);
  deneb::Model file = read_network(options);
  const std::uint64_t fingerprint = deneb::fingerprint(file);
  const deneb::Model model = used_model(std::move(file), options);
  check_dataset(dataset, options, model.recipe);
  refuse_unused(dataset, options, model.recipe);
  const DenebEncoders named = needed_encoders(options, model.recipe);
  const OpenEncoders encoders = open_encoders(named, options.device);
  deneb::expect_encoders(options.model, model,
                         {encoders.clip.get(), named.clip, encoders.text.get(), named.text});
  ThreadPool pool(options.threads);
  SampleTexts texts;
  std::vector<deneb::Samples> samples;
  for (const Dataset::System& system : dataset.systems())
    samples.push_back(texts.samples(dataset, system, model.recipe.image));
  const DenebTables tables = encode(encoders, texts, {model.encoders.prompt, false, &pool, options.progress});
  const deneb::Features features = tables.features();
  const Engine engine(model, options, features, pool);
  GivenScores scores{deneb::score_name(model.recipe.architecture), {}};
  for (std::size_t s = 0; s < samples.size(); ++s)
    scores.values.push_back(engine.scores(samples[s], dataset.systems()[s].name));
  Result result = finished(dataset, std::move(scores), options);
  ScoreColumn& column = result.columns.at(0);
  column.high = 1;
  column.display_scale = 100;
  column.signature = signature_of(model, options, fingerprint);
  for (const auto& more : {warnings_of(dataset, model), tables.warnings})
    result.warnings.insert(result.warnings.end(), more.begin(), more.end());
  return result;
}

}  // namespace capella
