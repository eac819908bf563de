#include "pipeline/train_clip.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/hash_values.h"
#include "base/step_counter.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "encoder/image_input.h"
#include "encoder/tokenizer/tokenizer_files.h"
#include "io/image/image.h"
#include "io/karpathy.h"
#include "io/read.h"
#include "method/clip_training/pairs.h"
#include "method/network_file.h"
#include "method/training_loop.h"
#include "method/training_state.h"
#include "pipeline/plugin.h"
#include "tensor/kernels.h"
#include "world/output_folder.h"

namespace capella {
namespace pipeline {
namespace {

namespace clip = method::clip_training;

constexpr std::size_t kMostTokens = 77;
constexpr std::size_t kMostValidation = 1000;  // images: all pairs of them are compared
constexpr method::NetworkFormat kFormat = {"capella.clip", "capella.clip.checkpoint",
                                           "capella nn train-clip"};

// The images of one split: their pictures cut to size, and their captions.
struct Split {
  Dataset data;
  std::vector<std::uint8_t> rgb;
  std::vector<std::string_view> captions;
  std::vector<std::uint32_t> images;  // of each caption
};

std::vector<std::uint8_t> read_pictures(const Dataset& data, const ClipTraining& options) {
  const std::size_t bytes = options.image_size * options.image_size * 3;
  std::vector<std::uint8_t> rgb(data.size() * bytes);
  encoder::ImageInput input;
  input.size = options.image_size;
  ThreadPool pool(options.threads);
  StepCounter steps(options.progress, "pictures", data.size());
  pool.parallel_for(data.size(), [&](std::size_t item) {
    const io::Image image = encoder::resize_and_crop(io::read_image(data.images()[item]), input);
    std::ranges::copy(image.rgb, rgb.begin() + static_cast<std::ptrdiff_t>(item * bytes));
    steps.done();
  });
  return rgb;
}

Split read_split(const ClipTraining& options, const std::string& name) {
  Split split;
  const io::CaptionTable table = io::read_table_file(options.dataset, {.split = name});
  if (table.format != io::kKarpathyName)
    throw DataError(
        fmt::format("{}: found {}, which has no splits, expected Karpathy's dataset.json, whose split train "
                    "is learnt from and whose split val is validated on",
                    options.dataset, table.format));
  split.data = with_images(io::join_tables({"", &table}, {}, {.split = name}), options.images);
  split.rgb = read_pictures(split.data, options);
  for (std::size_t item = 0; item < split.data.size(); ++item) {
    for (const std::string_view caption : split.data.references(item)) {
      split.captions.push_back(caption);
      split.images.push_back(static_cast<std::uint32_t>(item));
    }
  }
  return split;
}

// All that is learnt from and validated on, and what the network is.
struct ClipTask {
  Split training;
  Split validation;
  encoder::LearntVocabulary vocabulary;
  std::unique_ptr<const encoder::Tokenizer> tokenizer;
  clip::Recipe recipe;
  clip::Pairs pairs;
  encoder::TokenBatch validation_captions;  // the first of each image
  std::uint64_t fingerprint = 0;
};

// What can be known to be wrong before anything is read.
void check_options(const ClipTraining& options) {
  world::OutputFolder::check(options.output);
  if (options.width == 0 || options.width % tensor::kLanes != 0)
    throw UsageError(fmt::format("--width is {}, expected a multiple of {}, as the metrics' encoders need it",
                                 options.width, tensor::kLanes));
  if (options.heads == 0 || options.width % options.heads != 0)
    throw UsageError(fmt::format("--heads is {}, expected a number that divides --width, {}", options.heads,
                                 options.width));
  if (options.patch == 0 || options.image_size % options.patch != 0)
    throw UsageError(fmt::format("--patch is {}, expected a number that divides --size, {}", options.patch,
                                 options.image_size));
}

clip::Recipe make_recipe(const ClipTraining& options, const ClipTask& task) {
  clip::Recipe recipe;
  recipe.image_size = options.image_size;
  recipe.patch = options.patch;
  recipe.vision = recipe.text = {options.width, options.layers, options.heads};
  recipe.joint = options.width;
  recipe.vocabulary = task.tokenizer->size();
  recipe.end = task.tokenizer->last_token();
  recipe.most_tokens = clip::longest_caption(*task.tokenizer, task.training.captions, kMostTokens);
  recipe.batch = options.batch;
  recipe.rate = options.rate;
  const std::size_t steps = (task.training.captions.size() + options.batch - 1) / options.batch;
  recipe.total_steps = std::max<std::size_t>(1, steps * options.epochs);
  recipe.warm_up = std::min<std::size_t>(recipe.warm_up, recipe.total_steps / 10);
  if (const std::string problem = clip::recipe_problem(recipe); !problem.empty()) throw UsageError(problem);
  return recipe;
}

std::uint64_t fingerprint_of(const ClipTask& task, const ClipTraining& options) {
  std::uint64_t hash = hash_bytes(clip::config_text(task.recipe));
  for (const std::uint64_t next :
       {hash_bytes(task.vocabulary.merges), hash_values(task.pairs.captions.ids),
        hash_values(task.pairs.image_of), hash_values(task.training.rgb), hash_values(task.validation.rgb),
        hash_values(task.validation_captions.ids), options.seed,
        hash_bytes(fmt::format("{} {} {}", options.batch, options.rate, task.recipe.total_steps))})
    hash = hash_combine(hash, next);
  return hash;
}

ClipTask read_task(const ClipTraining& options) {
  ClipTask task;
  task.training = read_split(options, "train");
  task.validation = read_split(options, "val");
  task.vocabulary = clip::learn_vocabulary(task.training.captions, options.most_merges);
  encoder::TokenizerOptions cleaning;
  cleaning.clip_cleaning = encoder::ClipCleaning::openai;
  task.tokenizer =
      encoder::read_vocabulary_and_merges(task.vocabulary.vocabulary, task.vocabulary.merges, cleaning);
  task.recipe = make_recipe(options, task);
  task.pairs = clip::make_pairs(*task.tokenizer, task.training.captions, task.training.images,
                                task.training.rgb, task.recipe.most_tokens);
  for (std::size_t item = 0; item < std::min(task.validation.data.size(), kMostValidation); ++item) {
    const std::string_view caption = task.validation.data.references(item).front();
    task.validation_captions.add(task.tokenizer->tokens(caption, task.recipe.most_tokens).ids);
  }
  task.fingerprint = fingerprint_of(task, options);
  return task;
}

ClipEpoch validate(const ClipTask& task, const clip::Network& network) {
  const std::size_t count = task.validation_captions.size();
  const std::size_t bytes = task.recipe.image_size * task.recipe.image_size * 3;
  std::vector<float> seen(count * task.recipe.joint);
  std::vector<float> told(count * task.recipe.joint);
  network.images(std::span(task.validation.rgb).first(count * bytes), seen.data());
  network.texts(task.validation_captions, told.data());
  const clip::Retrieval found = clip::retrieval(seen, told, task.recipe.joint);
  return {std::numeric_limits<double>::quiet_NaN(), found.image_to_text, found.text_to_image};
}

// Epochs in a checkpoint.
method::ResultRows rows_of(const std::vector<ClipEpoch>& epochs) {
  method::ResultRows rows;
  for (const ClipEpoch& epoch : epochs)
    rows.push_back({epoch.loss, epoch.image_to_text, epoch.text_to_image});
  return rows;
}

// One training: what changes from epoch to epoch.
class Trainer {
 public:
  Trainer(clip::Network& network, const ClipTask& task, const ClipTraining& options)
      : network_(network), task_(task), options_(options), checkpoint_(options.output + ".checkpoint") {}

  std::vector<ClipEpoch> run() {
    resume();
    while (epochs_.size() <= options_.epochs) next_epoch();
    return std::move(epochs_);
  }

  bool resumed() const { return resumed_; }

 private:
  void resume() {
    if (options_.restart || !method::has_checkpoint(checkpoint_)) return;
    const method::TrainingState state = method::read_training_state(checkpoint_, kFormat, 3);
    const bool same = state.fingerprint == task_.fingerprint;
    method::expect_fit(checkpoint_, {same ? "" : "other pictures, captions or options", state.rows.size() - 1,
                                     options_.epochs});
    method::restore_arrays(checkpoint_, [&] { network_.set_arrays(state.arrays); });
    for (const std::vector<double>& row : state.rows) epochs_.push_back({row[0], row[1], row[2]});
    resumed_ = true;
  }

  void next_epoch() {
    const std::size_t epoch = epochs_.size();
    const Stopwatch clock;
    double loss = std::numeric_limits<double>::quiet_NaN();
    if (epoch > 0) {
      const auto order =
          clip::draw_order(task_.training.captions.size(), method::epoch_seed(options_.seed, epoch));
      loss = network_.train(task_.pairs, order,
                            method::steps_of(options_.progress, fmt::format("epoch {}", epoch)));
    }
    epochs_.push_back(validate(task_, network_));
    epochs_.back().loss = loss;
    method::write_training_state(checkpoint_, kFormat, task_.fingerprint, rows_of(epochs_),
                                 network_.arrays(true));
    tell(epoch, clock.seconds());
  }

  void tell(std::size_t epoch, double seconds) const {
    if (!options_.tell) return;
    const ClipEpoch& result = epochs_.back();
    options_.tell(
        fmt::format("epoch {}: {}, own caption nearest {:.1f} %, own picture nearest {:.1f} %, {:.1f} s",
                    epoch, epoch == 0 ? "untrained" : fmt::format("loss {:.4f}", result.loss),
                    100 * result.image_to_text, 100 * result.text_to_image, seconds));
  }

  clip::Network& network_;
  const ClipTask& task_;
  const ClipTraining& options_;
  std::string checkpoint_;
  std::vector<ClipEpoch> epochs_;
  bool resumed_ = false;
};

void write_folder(const std::string& path, const ClipTask& task, const clip::Network& network) {
  world::OutputFolder folder(path);
  folder.write("config.json", clip::config_text(task.recipe));
  folder.write("preprocessor_config.json", clip::preprocessor_text(task.recipe));
  folder.write("vocab.json", task.vocabulary.vocabulary);
  folder.write("merges.txt", task.vocabulary.merges);
  folder.write("model.safetensors", method::network_file_bytes(network.arrays(false), {{"format", "pt"}}));
  folder.finish();
}

}  // namespace

ClipTrained train_clip(const ClipTraining& options, const clip::NetworkMaker& maker) {
  const Stopwatch clock;
  check_options(options);
  const ClipTask task = read_task(options);
  const auto network = maker.make(task.recipe, options.device, options.seed, options.threads);
  Trainer trainer(*network, task, options);
  ClipTrained trained;
  trained.epochs = trainer.run();
  trained.resumed = trainer.resumed();
  write_folder(options.output, task, *network);
  std::error_code stays;  // a checkpoint that stays is of no harm
  std::filesystem::remove(options.output + ".checkpoint", stays);
  trained.parameters = clip::parameter_count(task.recipe);
  trained.vocabulary = task.recipe.vocabulary;
  trained.most_tokens = task.recipe.most_tokens;
  trained.training_images = task.training.data.size();
  trained.training_captions = task.training.captions.size();
  trained.validation_images = task.validation_captions.size();
  trained.seconds = clock.seconds();
  return trained;
}

}  // namespace pipeline

ClipTrained train_clip(const ClipTraining& options) {
  return pipeline::train_clip(options, pipeline::load_clip_training());
}

}  // namespace capella
