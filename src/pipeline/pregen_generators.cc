#include "pipeline/pregen_generators.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/version.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "base/names.h"
#include "base/stopwatch.h"
#include "io/token_probabilities.h"
#include "method/pregen/caption_data.h"
#include "method/pregen/generator_file.h"
#include "method/pregen/train_generator.h"
#include "pipeline/network_training.h"
#include "pipeline/plugin.h"
#include "text/tokenizer_karpathy.h"

namespace capella {
namespace pipeline {
namespace {

namespace pregen = method::pregen;
using pregen::GeneratorFile;
using pregen::GeneratorMaker;
using pregen::GeneratorModel;

pregen::Architecture architecture_by_name(const std::string& name) {
  const auto found = std::ranges::find(pregen::kArchitectureNames, name);
  if (found == std::end(pregen::kArchitectureNames))
    throw UsageError(unknown_name_message("architecture", name, pregen::kArchitectureNames));
  return static_cast<pregen::Architecture>(found - std::begin(pregen::kArchitectureNames));
}

void check(const GeneratorTraining& options) {
  check_device(options.device);
  check_model_path(options.output);
  if (options.size > pregen::kMostSize)
    throw UsageError(fmt::format("a size of {}, expected 1 to {}", options.size, pregen::kMostSize));
  if (options.batch > pregen::kMostBatch)
    throw UsageError(fmt::format("a batch of {}, expected 1 to {}", options.batch, pregen::kMostBatch));
  pregen::check_share(options.share);
  if (options.most_epochs > method::kMostEpochs)
    throw UsageError(fmt::format("{} epochs, expected at most {}", options.most_epochs, method::kMostEpochs));
}

struct Inputs {
  io::CaptionSets sets;
  io::Matrix features;
};

Inputs read_inputs(const GeneratorInputs& paths) {
  Inputs inputs{io::read_caption_sets(paths.dataset, text::tokenize_karpathy),
                io::read_matrix(paths.features, paths.variable)};
  pregen::check_rows(inputs.sets, inputs.features);
  return inputs;
}

// What is learnt from and validated on, and the model before it has learnt anything.
struct GeneratorTask {
  GeneratorModel start;
  pregen::CaptionData training;
  pregen::CaptionData validation;
};

GeneratorTask read_task(const GeneratorTraining& options, pregen::Architecture architecture) {
  const Inputs inputs = read_inputs(options.inputs);
  const std::vector<std::size_t> known = pregen::images_of_split(inputs.sets, "train");
  const std::vector<std::size_t> images = pregen::take_share(known, options.share);
  GeneratorTask task;
  GeneratorModel& start = task.start;
  start.vocabulary = pregen::make_vocabulary(inputs.sets, known, options.least_count);
  start.recipe = pregen::recipe(architecture, start.vocabulary.size(), inputs.features.columns);
  if (options.size > 0) start.recipe.size = options.size;
  if (options.batch > 0) start.recipe.batch = options.batch;
  task.training = pregen::caption_data(inputs.sets, inputs.features, start.vocabulary, images);
  task.validation = pregen::first_captions(pregen::caption_data(
      inputs.sets, inputs.features, start.vocabulary, pregen::images_of_split(inputs.sets, "val")));
  pregen::TrainingFacts& facts = start.facts;
  facts.data_set = std::filesystem::path(options.inputs.dataset).filename().string();
  facts.fingerprint = hash_combine(pregen::fingerprint(task.training), pregen::fingerprint(task.validation));
  facts.seed = options.seed;
  facts.least_count = options.least_count;
  facts.share = options.share;
  facts.training_images = task.training.image_count();
  facts.training_captions = task.training.caption_count();
  facts.validation_images = task.validation.image_count();
  facts.version = kVersion;
  return task;
}

GeneratorTrained summary_of(const pregen::TrainedGenerator& trained) {
  const GeneratorModel& model = trained.model;
  GeneratorTrained summary;
  summary.architecture = pregen::kArchitectureNames[static_cast<std::size_t>(model.recipe.architecture)];
  summary.parameters = pregen::parameter_count(model.recipe);
  summary.vocabulary = model.vocabulary.size();
  summary.training_images = model.facts.training_images;
  summary.training_captions = model.facts.training_captions;
  summary.validation_images = model.facts.validation_images;
  for (const pregen::TrainingEpoch& epoch : model.facts.epochs)
    summary.epochs.push_back({epoch.loss, std::exp2(epoch.log2_perplexity)});
  summary.best_epoch = model.facts.best_epoch;
  summary.resumed = trained.resumed;
  return summary;
}

pregen::TrainingLoop loop_of(const GeneratorTraining& options) {
  pregen::TrainingLoop loop;
  loop.most_epochs = options.most_epochs;
  loop.checkpoint = checkpoint_of(options.output);
  loop.progress = options.progress;
  if (options.tell) {
    loop.after_epoch = [&options, clock = Stopwatch()](std::size_t epoch,
                                                       const pregen::TrainingEpoch& result) mutable {
      const std::string loss = epoch == 0 ? "untrained" : fmt::format("loss {:.4f}", result.loss);
      options.tell(fmt::format("epoch {}: {}, validation perplexity {:.3f}, {:.1f} s", epoch, loss,
                               std::exp2(result.log2_perplexity), clock.seconds()));
      clock = Stopwatch();
    };
  }
  return loop;
}

// A trained network and the images it is asked about.
struct Asked {
  GeneratorModel model;
  std::unique_ptr<pregen::Generator> generator;
  io::CaptionSets sets;
  std::vector<std::size_t> images;
  pregen::CaptionData data;
};

std::unique_ptr<pregen::Generator> make_trained(const GeneratorRun& run, const GeneratorModel& model,
                                                const GeneratorMaker& maker) {
  auto generator = maker.make(model.recipe, run.device, model.facts.seed, run.threads);
  try {
    generator->set_arrays(model.arrays);
  } catch (const DataError& error) {
    throw FileError(
        fmt::format("{}: {}; train it again with 'capella pregen train'", run.model, error.what()));
  }
  return generator;
}

Asked prepare(const GeneratorRun& run, const GeneratorMaker& maker) {
  check_device(run.device);
  Asked asked;
  asked.model = pregen::read_generator(run.model, GeneratorFile::model);
  asked.generator = make_trained(run, asked.model, maker);
  Inputs inputs = read_inputs(run.inputs);
  if (inputs.features.columns != asked.model.recipe.image) {
    throw DataError(
        fmt::format("{}: {} numbers for each image, but {} was trained with {}; give features of "
                    "the same kind",
                    inputs.features.source, inputs.features.columns, run.model, asked.model.recipe.image));
  }
  asked.images = pregen::images_of_split(inputs.sets, run.split);
  asked.data = pregen::caption_data(inputs.sets, inputs.features, asked.model.vocabulary, asked.images);
  asked.sets = std::move(inputs.sets);
  return asked;
}

pregen::Steps steps_of(const Progress& progress, std::string_view stage) {
  return [&progress, stage](std::size_t done, std::size_t total) {
    if (progress) progress(stage, done, total);
  };
}

std::string caption_text(const pregen::GeneratedCaption& caption, const pregen::Vocabulary& vocabulary) {
  std::string text;
  for (const std::int32_t id : caption.ids) {
    if (!text.empty()) text += ' ';
    text += vocabulary.words().at(static_cast<std::size_t>(id));
  }
  return text;
}

// [{"image_id": ..., "caption": ...}, ...], an image in each line; numbers as they were.
std::string captions_json(const Asked& asked, const std::vector<std::string>& captions) {
  std::string out = "[";
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const std::size_t image = asked.images[i];
    const std::string& name = asked.sets.images[image];
    const auto text = [](const std::string& words) { return json_text(nlohmann::json(words)); };
    out += fmt::format("{}\n{{\"image_id\": {}, \"caption\": {}}}", i == 0 ? "" : ",",
                       asked.sets.numbered[image] ? name : text(name), text(captions[i]));
  }
  return out + "\n]\n";
}

pregen::BeamOptions beam_options(const GenerationOptions& options, const pregen::Recipe& recipe) {
  constexpr std::size_t kMostWords = 10'000;
  if (options.beam > pregen::kMostBeam)
    throw UsageError(fmt::format("a beam of {}, expected 1 to {}", options.beam, pregen::kMostBeam));
  if (options.most_words == 0 || options.most_words > kMostWords ||
      options.least_words > options.most_words) {
    throw UsageError(fmt::format("captions of {} to {} words, expected a range up to {}", options.least_words,
                                 options.most_words, kMostWords));
  }
  pregen::BeamOptions beam;
  beam.width = options.beam > 0 ? options.beam : recipe.beam;
  beam.least_words = options.least_words;
  beam.most_words = options.most_words;
  return beam;
}

}  // namespace

GeneratorTrained train_generator(const GeneratorTraining& options, const GeneratorMaker& maker) {
  check(options);
  GeneratorTask task = read_task(options, architecture_by_name(options.architecture));
  const auto generator = maker.make(task.start.recipe, options.device, options.seed, options.threads);
  const pregen::TrainingLoop loop = loop_of(options);
  if (options.restart) remove_checkpoint(loop.checkpoint);
  const Stopwatch clock;
  const pregen::TrainedGenerator trained =
      pregen::train_generator(*generator, std::move(task.start), task.training, task.validation, loop);
  pregen::write_generator(options.output, trained.model, GeneratorFile::model);
  remove_checkpoint(loop.checkpoint);
  GeneratorTrained summary = summary_of(trained);
  summary.seconds = clock.seconds();
  return summary;
}

ProbabilityRun generator_probabilities(const GeneratorRun& run, const GeneratorMaker& maker) {
  const Asked asked = prepare(run, maker);
  ProbabilityRun done;
  const Stopwatch clock;
  const io::TokenProbabilities table =
      asked.generator->probabilities(asked.data, steps_of(run.progress, "probabilities"));
  done.seconds = clock.seconds();
  done.images = table.image_count();
  done.captions = table.caption_count();
  done.words = table.probabilities.size();
  done.unknown = static_cast<std::size_t>(std::ranges::count(asked.data.ids, pregen::kUnknown));
  done.perplexity = std::exp2(pregen::log2_perplexity(table));
  io::write_token_probabilities(
      run.output, table,
      run.output.ends_with(".json") ? io::ProbabilityLayout::json : io::ProbabilityLayout::binary);
  return done;
}

GenerationRun generate_captions(const GeneratorRun& run, const GenerationOptions& options,
                                const GeneratorMaker& maker) {
  beam_options(options, {});  // before anything is read
  const Asked asked = prepare(run, maker);
  const pregen::BeamOptions beam = beam_options(options, asked.model.recipe);
  GenerationRun done;
  const Stopwatch clock;
  const std::vector<pregen::GeneratedCaption> generated =
      asked.generator->generate(asked.data, beam, steps_of(run.progress, "captions"));
  done.seconds = clock.seconds();
  done.images = generated.size();
  done.beam = beam.width;
  std::vector<std::string> captions;
  for (const pregen::GeneratedCaption& caption : generated) {
    captions.push_back(caption_text(caption, asked.model.vocabulary));
    done.words += caption.ids.size();
  }
  done.different = std::set<std::string>(captions.begin(), captions.end()).size();
  write_file_atomically(run.output, captions_json(asked, captions));
  return done;
}

}  // namespace pipeline

GeneratorTrained train_generator(const GeneratorTraining& options) {
  return pipeline::train_generator(options, pipeline::load_generators());
}

ProbabilityRun generator_probabilities(const GeneratorRun& run) {
  return pipeline::generator_probabilities(run, pipeline::load_generators());
}

GenerationRun generate_captions(const GeneratorRun& run, const GenerationOptions& options) {
  return pipeline::generate_captions(run, options, pipeline::load_generators());
}

}  // namespace capella
