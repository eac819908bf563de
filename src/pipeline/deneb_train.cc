#include "pipeline/deneb_train.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <system_error>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/hash_values.h"
#include "base/names.h"
#include "base/stopwatch.h"
#include "method/deneb/encoder_use.h"
#include "method/deneb/train_network.h"
#include "pipeline/deneb_data.h"
#include "pipeline/deneb_features.h"
#include "pipeline/network_training.h"
#include "pipeline/plugin.h"

namespace capella {
namespace pipeline {
namespace {

namespace deneb = method::deneb;
using deneb::Architecture;
using deneb::Recipe;

constexpr std::size_t kMostRows = 100'000'000;  // of an epoch

// The choice of that name; what is empty leaves `value` as it is.
template <class Choice, std::size_t count>
void choose(const char* what, const std::string& name, const std::string_view (&names)[count],
            Choice& value) {
  if (name.empty()) return;
  const auto found = std::ranges::find(names, name);
  if (found == std::end(names)) throw UsageError(unknown_name_message(what, name, names));
  value = static_cast<Choice>(found - std::begin(names));
}

void take(std::size_t given, std::size_t& value) {
  if (given > 0) value = given;
}

void check_sizes(const Recipe& recipe) {
  constexpr std::size_t kUnit = 16;  // of the inner loops on the CPU
  if (recipe.architecture != Architecture::polos && recipe.width % kUnit != 0)
    throw UsageError(fmt::format("a width of {}, expected a multiple of {}", recipe.width, kUnit));
  if (const std::string problem = recipe_problem(recipe); !problem.empty()) throw UsageError(problem);
}

// An option that was given, and what a network without it lacks.
struct GivenOption {
  bool given;
  const char* lacking;
  const char* option;
};

// Throws for the first that was given: it would change nothing.
void refuse_given(const char* network, const char* way_out, std::initializer_list<GivenOption> options) {
  for (const GivenOption& one : options) {
    if (one.given)
      throw UsageError(
          fmt::format("{} has no {}: leave out {}, or {}", network, one.lacking, one.option, way_out));
  }
}

// What the network does without, whatever the encoders are.
void refuse_unused(const DenebTraining& options, const Recipe& recipe) {
  if (recipe.architecture == Architecture::polos) {
    refuse_given("Polos", "give another architecture",
                 {{!options.tokens.empty(), "tokens that could be of one kind or another", "--tokens"},
                  {!options.joiner.empty(), "tokens to join", "--joiner"},
                  {options.width > 0, "vectors that are projected to a width", "--width"},
                  {options.layers > 0, "layers but those of its head (--hidden)", "--layers"},
                  {options.heads > 0, "attention", "--heads"},
                  {options.feed_forward > 0, "feed-forward layers", "--feed-forward"}});
  } else if (recipe.joiner == deneb::Joiner::mlp) {
    refuse_given("--joiner mlp", "join by a transformer", {{options.heads > 0, "attention", "--heads"}});
  }
  if (options.encoders.clip.empty())
    refuse_given("a network without CLIP", "give --clip DIR",
                 {{options.prompt.has_value(), "prompt", "--prompt"}});
  if (options.encoders.text.empty())
    refuse_given("a network without a sentence encoder", "give --text DIR",
                 {{!options.encoders.vectors.empty(), "sentence vectors", "--sentence-vectors"},
                  {!options.statistics.empty(), "layers to take statistics of", "--statistics"},
                  {options.half, "hidden states", "--half"}});
}

// What the network does without, now that the encoders are known.
void refuse_unused(const DenebTraining& options, const OpenEncoders& encoders) {
  if (encoders.text && encoders.text->layers() == 1)
    refuse_given("a pooled sentence vector", "mix layers (--sentence-vectors mix)",
                 {{!options.statistics.empty(), "layers to take statistics of", "--statistics"}});
}

// A model took hours. With a checkpoint beside it, it is about to be replaced on purpose.
void check_not_there(const DenebTraining& options) {
  std::error_code unknown;  // whoever writes it then says what is wrong
  if (options.restart || method::has_checkpoint(checkpoint_of(options.output)) ||
      !std::filesystem::exists(options.output, unknown))
    return;
  throw UsageError(
      fmt::format("{}: is there already; name another file, or train it anew and replace it with --restart",
                  options.output));
}

std::string prompt_of(const DenebTraining& options, const Recipe& recipe) {
  if (options.prompt) return *options.prompt;
  return recipe.architecture == Architecture::polos ? deneb::kPolosPrompt : deneb::kDenebPrompt;
}

// Everything that is learnt from, and the model before it has learnt anything.
struct DenebTask {
  deneb::Model start;
  SampleTexts texts;
  DenebTables tables;
  deneb::TrainingData data;
};

std::size_t most_references(const deneb::Samples& samples) {
  std::size_t most = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) most = std::max(most, samples.references_of(k).size());
  return most;
}

// Texts, samples and what images look like; what captions look like follows from the encoders, which are
// compared by themselves.
std::uint64_t fingerprint_of(const DenebTask& task) {
  std::uint64_t hash = 0;
  for (const std::string_view caption : task.texts.captions.texts())
    hash = hash_combine(hash, hash_bytes(caption));
  if (task.tables.images) hash = hash_combine(hash, hash_values(task.tables.images->values));
  hash = deneb::fingerprint(task.data.validation, deneb::fingerprint(task.data.training, hash));
  return deneb::fingerprint(task.data.preferences, hash);
}

// Where the rate of a linear schedule ends: as if the last, smaller batch of an epoch were not there.
std::size_t total_steps(const Recipe& recipe, std::size_t rows, std::size_t epochs) {
  return std::max<std::size_t>(1, rows / (recipe.batch * recipe.accumulation)) * epochs;
}

deneb::Preferences preferences_of(const io::Benchmark& benchmark) {
  deneb::Preferences all;
  all.categories = benchmark.categories.size();
  for (const io::Benchmark::Pair& pair : benchmark.pairs)
    all.pairs.push_back({pair.category, pair.preferred});
  return all;
}

void take_facts(const DenebTraining& options, const DenebData& data, DenebTask& task) {
  deneb::TrainingFacts& facts = task.start.facts;
  facts.training_data = short_name(options.training);
  facts.validation_data = short_name(options.validation);
  facts.without = options.without;
  for (const DenebHeldOut& one : options.held_out)
    facts.held_out.push_back(fmt::format("{}:{}", one.layout, short_name(one.path)));
  facts.dropped_rows = data.dropped;
  facts.rows_per_epoch = options.rows_per_epoch;
  facts.measure = data.validation.pairwise() ? deneb::Measure::accuracy : deneb::Measure::tau_c;
  facts.training_rows = task.data.training.size();
  facts.validation_rows = task.data.validation.size();
  facts.most_references = most_references(task.data.training);
  facts.fingerprint = fingerprint_of(task);
  facts.seed = options.seed;
  facts.patience = options.patience;
  facts.version = kVersion;
}

DenebTask make_task(const DenebTraining& options, const OpenEncoders& encoders, const DenebData& data,
                    ThreadPool& pool) {
  DenebTask task;
  Recipe& recipe = task.start.recipe;
  recipe = recipe_of(options);
  recipe.clip_width = encoders.clip ? encoders.clip->width() : 0;
  recipe.sentence_width = encoders.text ? encoders.text->width() : 0;
  recipe.sentence_layers = encoders.text ? encoders.text->layers() : 1;
  check_sizes(recipe);
  task.start.encoders =
      deneb::use_of({encoders.clip.get(), options.encoders.clip, encoders.text.get(), options.encoders.text},
                    prompt_of(options, recipe), recipe.image);
  task.data.training = task.texts.samples(data.training, data.training_paths);
  task.data.validation = task.texts.samples(data.validation, data.validation_paths);
  task.data.preferences = preferences_of(data.validation);
  const std::size_t rows = options.rows_per_epoch > 0 ? options.rows_per_epoch : task.data.training.size();
  recipe.total_steps = total_steps(recipe, rows, options.most_epochs);
  task.tables =
      encode(encoders, task.texts, {task.start.encoders.prompt, options.half, &pool, options.progress});
  task.data.features = task.tables.features();
  take_facts(options, data, task);
  return task;
}

std::string measure_of(const deneb::TrainingFacts& facts) {
  return std::string(deneb::kMeasureNames[static_cast<std::size_t>(facts.measure)]);
}

deneb::TrainingLoop loop_of(const DenebTraining& options, const std::string& measure) {
  deneb::TrainingLoop loop;
  loop.most_epochs = options.most_epochs;
  loop.checkpoint = checkpoint_of(options.output);
  loop.progress = options.progress;
  if (options.tell) {
    loop.after_epoch = [&options, measure, clock = Stopwatch()](std::size_t epoch,
                                                                const deneb::TrainingEpoch& result) mutable {
      const std::string loss = epoch == 0 ? "untrained" : fmt::format("loss {:.6f}", result.loss);
      options.tell(fmt::format("epoch {}: {}, validation {} {:.4f}, {:.1f} s", epoch, loss, measure,
                               result.agreement, clock.seconds()));
      clock = Stopwatch();
    };
  }
  return loop;
}

double best_agreement(const deneb::TrainingFacts& facts) {
  return facts.epochs[facts.best_epoch].agreement;
}

// An epoch is better than any whose agreement is undefined, so that all are if the best one's is. Nothing can
// go on from such a checkpoint.
void expect_agreement(const deneb::TrainingFacts& facts, const std::string& checkpoint) {
  if (facts.best_epoch == 0 || !std::isnan(best_agreement(facts))) return;
  remove_checkpoint(checkpoint);
  throw DataError(fmt::format(
      "agreement with the validation rows is undefined after each of {} epochs, as the network gives all "
      "captions the same score; nothing was written; train with a smaller --rate",
      facts.epochs.size() - 1));
}

std::vector<std::string> warnings_of(const deneb::TrainingFacts& facts, const DenebTraining& options) {
  std::vector<std::string> warnings;
  std::error_code unknown;
  if (std::filesystem::equivalent(options.training, options.validation, unknown))
    warnings.push_back(fmt::format(
        "{}: rows to learn from are those that end the training, too, so that agreement says nothing about "
        "other captions; validate on rows of other images",
        options.validation));
  const double untrained = facts.epochs[0].agreement;
  if (facts.best_epoch > 0 && untrained < 1 && best_agreement(facts) <= untrained)
    warnings.push_back(fmt::format(
        "no epoch agrees better with the validation rows than the untrained network ({} {:.4f}; the best "
        "epoch "
        "{:.4f}): what was learnt is of no use for them; try another --rate, more epochs or more rows",
        measure_of(facts), untrained, best_agreement(facts)));
  return warnings;
}

DenebTrained summary_of(const deneb::TrainedNetwork& trained, const DenebTask& task) {
  const deneb::Model& model = trained.model;
  DenebTrained summary;
  summary.architecture = deneb::kArchitectureNames[static_cast<std::size_t>(model.recipe.architecture)];
  summary.parameters = deneb::parameter_count(model.recipe);
  summary.training_rows = model.facts.training_rows;
  summary.dropped_rows = model.facts.dropped_rows;
  summary.validation_rows = model.facts.validation_rows;
  summary.measure = measure_of(model.facts);
  summary.images = task.texts.images.texts().size();
  summary.captions = task.texts.captions.texts().size();
  summary.most_references = model.facts.most_references;
  for (const deneb::TrainingEpoch& epoch : model.facts.epochs)
    summary.epochs.push_back({epoch.loss, epoch.agreement});
  summary.best_epoch = model.facts.best_epoch;
  summary.resumed = trained.resumed;
  summary.warnings = task.tables.warnings;
  return summary;
}

}  // namespace

Recipe recipe_of(const DenebTraining& options) {
  Architecture architecture = Architecture::released;
  choose("architecture", options.architecture, deneb::kArchitectureNames, architecture);
  Recipe recipe = deneb::recipe(architecture);
  choose("kind of tokens", options.tokens, deneb::kTokenKindNames, recipe.tokens);
  choose("joiner of tokens", options.joiner, deneb::kJoinerNames, recipe.joiner);
  choose("use of references", options.references, deneb::kReferencesNames, recipe.references);
  choose("kind of statistics", options.statistics, deneb::kMixStatisticsNames, recipe.mix);
  recipe.cut_references = recipe.mix == deneb::MixStatistics::batch;
  recipe.image = !options.text_only && !options.encoders.clip.empty();
  take(options.width, recipe.width);
  take(options.layers, recipe.layers);
  take(options.heads, recipe.heads);
  take(options.feed_forward, recipe.feed_forward);
  take(options.batch, recipe.batch);
  if (!options.hidden.empty()) {
    if (options.hidden.size() != 2)
      throw UsageError(fmt::format("{} hidden layers of the head, expected 2", options.hidden.size()));
    recipe.hidden = {options.hidden[0], options.hidden[1]};
  }
  recipe.cosine = options.cosine;
  recipe.scale_vectors = options.scale_vectors;
  if (options.rate != 0) recipe.rate = options.rate;
  if (options.weight_decay) recipe.weight_decay = *options.weight_decay;
  if (options.warm_up) recipe.warm_up = *options.warm_up;
  if (options.dropout) recipe.dropout = recipe.mix_dropout = *options.dropout;
  return recipe;
}

DenebTrained train_deneb(const DenebTraining& options, const deneb::NetworkMaker& maker) {
  check_deneb_training(options);
  const bool images = recipe_of(options).image;
  const DenebData data = read_deneb_data(options, images);
  const OpenEncoders encoders = open_encoders(options.encoders, options.device);
  refuse_unused(options, encoders);
  ThreadPool pool(options.threads);
  const Stopwatch encoding;
  DenebTask task = make_task(options, encoders, data, pool);
  const double encoding_seconds = encoding.seconds();
  const auto network = maker.make(task.start.recipe, options.device, options.seed, options.threads);
  const deneb::TrainingLoop loop = loop_of(options, measure_of(task.start.facts));
  if (options.restart) remove_checkpoint(loop.checkpoint);
  const Stopwatch clock;
  const deneb::TrainedNetwork trained =
      deneb::train_network(*network, std::move(task.start), task.data, loop);
  expect_agreement(trained.model.facts, loop.checkpoint);
  deneb::write_model(options.output, trained.model, method::NetworkFile::model);
  remove_checkpoint(loop.checkpoint);
  DenebTrained summary = summary_of(trained, task);
  for (std::string& warning : warnings_of(trained.model.facts, options))
    summary.warnings.push_back(std::move(warning));
  summary.encoding_seconds = encoding_seconds;
  summary.seconds = clock.seconds();
  return summary;
}

}  // namespace pipeline

void check_deneb_training(const DenebTraining& options) {
  pipeline::check_device(options.device);
  pipeline::check_model_path(options.output);
  pipeline::check_not_there(options);
  pipeline::check_layouts(options);
  if (options.most_epochs > method::kMostEpochs)
    throw UsageError(fmt::format("{} epochs, expected at most {}", options.most_epochs, method::kMostEpochs));
  if (options.patience == 0 || options.patience > method::kMostEpochs)
    throw UsageError(
        fmt::format("a patience of {}, expected 1 to {}", options.patience, method::kMostEpochs));
  if (options.rows_per_epoch > pipeline::kMostRows)
    throw UsageError(
        fmt::format("{} rows in an epoch, expected at most {}", options.rows_per_epoch, pipeline::kMostRows));
  method::deneb::Recipe recipe = pipeline::recipe_of(options);
  pipeline::refuse_unused(options, recipe);
  recipe.clip_width = options.encoders.clip.empty() ? 0 : recipe.clip_width;
  pipeline::check_sizes(recipe);
  if (recipe.image && options.encoders.images.empty())
    throw UsageError(
        "the network looks at images: give --images DIR, a folder with files named by ids, or --text-only");
  if (!recipe.image && !options.encoders.images.empty())
    throw UsageError(
        "images are given, but the network does not look at them; leave out --images, or "
        "--text-only, or give --clip DIR");
}

DenebTrained train_deneb(const DenebTraining& options) {
  return pipeline::train_deneb(options, pipeline::load_deneb());
}

}  // namespace capella
