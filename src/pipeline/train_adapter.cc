#include "pipeline/train_adapter.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/version.h"

#include "base/hash.h"
#include "base/names.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "encoder/device_model.h"
#include "encoder/sentence_encoder.h"
#include "encoder/sentence_folder.h"
#include "method/adapter_training/train_adapter.h"
#include "method/capella_s/capella_s_metric.h"
#include "method/network_file.h"
#include "pipeline/caption_images.h"
#include "pipeline/deneb_data.h"
#include "pipeline/deneb_features.h"
#include "pipeline/network_training.h"
#include "pipeline/plugin.h"
#include "resource/packages.h"
#include "world/output_folder.h"

namespace capella {
namespace pipeline {
namespace {

namespace adapter = method::adapter_training;
namespace fs = std::filesystem;
using adapter::Precision;
using encoder::EncodeWork;
using nlohmann::json;

// The package that the base is; null if it is a folder.
const resource::Package* package_of_base(const std::string& base) {
  std::error_code unknown;
  if (base != "minilm" && fs::exists(base, unknown)) return nullptr;
  return resource::package_of_model(base);
}

std::string base_folder(const std::string& base) {
  const resource::Package* package = package_of_base(base);
  return package == nullptr ? base : data_path(package->name);
}

// What the adapter's folder says of its base: a name, or where it lies as seen from there.
std::string told_base(const AdapterTraining& options) {
  if (package_of_base(options.base) != nullptr || fs::path(options.base).is_absolute()) return options.base;
  std::error_code unknown;
  const fs::path base = fs::absolute(options.base);
  const fs::path seen = fs::relative(base, fs::absolute(options.output), unknown);
  return seen.empty() ? base.string() : seen.generic_string();
}

adapter::Recipe recipe_of(const AdapterTraining& options) {
  adapter::Recipe recipe;
  recipe.rank = options.rank;
  recipe.alpha = options.alpha > 0 ? options.alpha : static_cast<double>(options.rank);
  recipe.batch = options.batch;
  recipe.references = options.references;
  recipe.temperature = options.temperature;
  recipe.rated_batch = options.rated.empty() ? 0 : options.rated_batch;
  recipe.rated_weight = options.rated_weight;
  recipe.total_steps = options.steps;
  recipe.warm_up = options.warm_up.value_or(std::min(recipe.warm_up, options.steps));
  recipe.rate = options.rate;
  recipe.chunk = options.chunk;
  recipe.numbers = options.bfloat16 ? adapter::Numbers::bfloat16 : adapter::Numbers::float32;
  return recipe;
}

std::optional<adapter::Reading> reading_named(const std::string& name) {
  const auto found = std::ranges::find(adapter::kReadingNames, name);
  if (found == std::end(adapter::kReadingNames)) return std::nullopt;
  return static_cast<adapter::Reading>(found - std::begin(adapter::kReadingNames));
}

// What is asked for, else what the folder says.
adapter::Reading reading_of(const AdapterTraining& options, const encoder::ModelFolder& folder) {
  if (const auto given = reading_named(options.pooling)) return *given;
  if (!folder.file("modules.json"))
    throw FileError(
        fmt::format("{}: does not say how the vectors of tokens become one of a caption (there is no "
                    "modules.json); give --pooling mean or --pooling first",
                    folder.path()));
  return encoder::read_sentence_options(folder).pooling == encoder::Pooling::first ? adapter::Reading::first
                                                                                   : adapter::Reading::mean;
}

// All that is learnt from and validated on, and what learns.
struct AdapterTask {
  adapter::Recipe recipe;
  std::string base_fingerprint;
  std::string base_description;
  encoder::BertModel base;
  adapter::CaptionGroups groups;
  adapter::RatedCaptions validation;
  std::vector<AdapterData> data;
  AdapterRatings ratings;
  std::size_t cut = 0;  // captions that the base does not see whole
  std::size_t most_tokens = 0;
};

void add_images(const encoder::SentenceEncoder& encoder, CaptionImages images, const EncodeWork& work,
                AdapterTask& task) {
  std::vector<std::string_view> texts;
  for (const auto& own : images.captions) texts.insert(texts.end(), own.begin(), own.end());
  const encoder::TokenizedTexts tokens = encoder.sentence_tokens(texts, work);
  task.cut += tokens.cut.size();
  std::size_t next = 0;
  for (const auto& own : images.captions) {
    encoder::TokenBatch captions;
    for (std::size_t k = 0; k < own.size(); ++k) captions.add(tokens.ids(next++));
    const auto added = task.groups.add(captions, 1 + task.recipe.references);
    if (added != adapter::CaptionGroups::Added::yes) {
      ++(added == adapter::CaptionGroups::Added::again ? images.counts.again : images.counts.few);
      continue;
    }
    ++images.counts.images;
    images.counts.captions += task.groups.of(task.groups.images() - 1).size();
  }
  task.data.push_back(std::move(images.counts));
}

void expect_images(const AdapterTraining& options, AdapterTask& task) {
  const std::size_t images = task.groups.images();
  if (images < 2) {
    std::size_t held = 0, few = 0, again = 0;
    for (const AdapterData& file : task.data) {
      held += file.known + file.named;
      few += file.few;
      again += file.again;
    }
    throw DataError(fmt::format(
        "{}: {} left to learn from, expected two images or more: {} were left out since they are in what is "
        "held out, {} since they have fewer than {} different captions, {} since an image before has the "
        "same "
        "captions",
        fmt::join(options.captions, ", "), images == 0 ? "no image is" : "one image is", held, few,
        1 + options.references, again));
  }
  task.recipe.batch = std::min(task.recipe.batch, images);
}

adapter::RatedCaptions read_validation(const AdapterTraining& options,
                                       const encoder::SentenceEncoder& encoder, const EncodeWork& work) {
  adapter::RatedCaptions rated;
  if (options.validation.empty()) return rated;
  const io::Benchmark rows =
      read_validation_rows(options.validation_layout, options.validation, options.without);
  TextIndex texts;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::uint32_t candidate = texts.place(rows.dataset.systems()[0].captions[row]);
    std::vector<std::uint32_t> references;
    for (const std::string_view reference : rows.dataset.references(row))
      references.push_back(texts.place(reference));
    rated.rows.add(candidate, references, rows.ratings[row]);
  }
  const encoder::TokenizedTexts tokens = encoder.sentence_tokens(texts.texts(), work);
  for (std::size_t k = 0; k < tokens.size(); ++k) rated.texts.add(tokens.ids(k));
  return rated;
}

// A correlation takes three ratings, and not all the same.
void expect_ratings(const AdapterTraining& options, const AdapterRatings& counts,
                    const std::vector<double>& ratings) {
  const bool few = ratings.size() < 3;
  if (!few && std::ranges::min(ratings) < std::ranges::max(ratings)) return;
  throw DataError(
      fmt::format("{}: rated captions that are left to learn from: {}{}, expected three or more with "
                  "different ratings; {} "
                  "were left out since they are in what is held out, {} since they are blank",
                  options.rated, ratings.size(), few ? "" : ", all rated the same",
                  counts.known + counts.named, counts.blank));
}

// Rated captions to learn from. A row is left out if a text of it or the name of its image is held out.
void add_ratings(const AdapterTraining& options, const HeldOutImages& held_out,
                 const encoder::SentenceEncoder& encoder, const EncodeWork& work, AdapterTask& task) {
  if (options.rated.empty()) return;
  AdapterRatings& counts = task.ratings;
  counts.path = options.rated;
  const io::Benchmark rows = read_validation_rows(options.rated_layout, options.rated, {}, RowsFor::learning);
  TextIndex index;
  std::vector<std::vector<std::uint32_t>> taken;  // the caption, and its references
  std::vector<double> ratings;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    std::vector<std::string_view> texts = {rows.dataset.systems()[0].captions[row]};
    const auto references = rows.dataset.references(row);
    texts.insert(texts.end(), references.begin(), references.end());
    if (method::capella_s::is_blank(texts[0])) {
      ++counts.blank;
      continue;
    }
    const bool known = held_out.has_caption_of(texts);
    if (known || held_out.has_name(rows.image_names[rows.images[row]])) {
      ++(known ? counts.known : counts.named);
      continue;
    }
    auto& places = taken.emplace_back();
    for (const std::string_view text : texts) places.push_back(index.place(text));
    ratings.push_back(rows.ratings[row]);
  }
  expect_ratings(options, counts, ratings);
  const encoder::TokenizedTexts tokens = encoder.sentence_tokens(index.texts(), work);
  task.cut += tokens.cut.size();
  for (std::size_t row = 0; row < taken.size(); ++row) {
    encoder::TokenBatch texts;
    for (const std::uint32_t place : taken[row]) texts.add(tokens.ids(place));
    task.groups.add_rated(texts, ratings[row]);
  }
  counts.rows = taken.size();
  task.recipe.rated_batch = std::min(task.recipe.rated_batch, counts.rows);
}

AdapterTask read_task(const AdapterTraining& options) {
  AdapterTask task;
  const encoder::ModelFolder folder(base_folder(options.base));
  if (folder.has_adapter())
    throw FileError(fmt::format("{}: is an adapter itself, expected a model; give its base", folder.given()));
  task.recipe = recipe_of(options);
  task.recipe.reading = reading_of(options, folder);
  task.base_fingerprint = folder.fingerprint();
  task.base_description = folder.description();
  const HeldOutImages held_out(options.held_out);
  const encoder::SentenceEncoder encoder(folder);
  task.most_tokens = encoder.most_in_sentence();
  ThreadPool pool(options.threads);
  const EncodeWork work{&pool, options.progress};
  bool splits = options.split.empty();
  for (const std::string& path : options.captions) {
    CaptionImages images = read_caption_images(path, options.split, held_out);
    splits = splits || images.has_splits;
    add_images(encoder, std::move(images), work, task);
  }
  if (!splits)
    throw UsageError(
        fmt::format("--split {} is given, but no file is a Karpathy dataset.json with splits; leave it out",
                    options.split));
  expect_images(options, task);
  add_ratings(options, held_out, encoder, work, task);
  task.validation = read_validation(options, encoder, work);
  task.base = encoder::read_bert_model(folder);
  return task;
}

std::uint64_t fingerprint_of(const AdapterTask& task, const AdapterTraining& options) {
  const adapter::Recipe& recipe = task.recipe;
  std::uint64_t hash = hash_bytes(adapter::recipe_facts(recipe).dump());
  const std::string others =
      fmt::format("{} {} {} {} {} {} {}", recipe.rank, recipe.alpha, recipe.chunk, options.full,
                  options.validate_every, options.device, options.strength);
  for (const std::uint64_t next : {hash_bytes(task.base_fingerprint), task.groups.fingerprint(),
                                   task.validation.fingerprint(), options.seed, hash_bytes(others)})
    hash = hash_combine(hash, next);
  return hash;
}

// Tells of every few steps, with the mean of their losses.
class Teller {
 public:
  Teller(const AdapterTraining& options, const adapter::Recipe& recipe)
      : options_(options), recipe_(recipe), every_(options.tell_every) {}

  /// Steps of an earlier run, which told of the whole stretches among them: a mean goes over the steps of the
  /// stretch that it broke off in, too.
  void after_resume(const std::vector<adapter::StepResult>& steps) {
    for (std::size_t step = 0; step < steps.size(); ++step) {
      add_loss(step, steps[step]);
      if (ends_stretch(step, steps[step])) begin_stretch();
    }
    if (options_.tell) options_.tell(fmt::format("going on after step {}", steps.size() - 1));
  }

  void after_step(std::size_t step, const adapter::StepResult& result, const adapter::StepWork& work) {
    add_loss(step, result);
    seconds_ += work.seconds;
    texts_ += work.texts;
    if (!ends_stretch(step, result)) return;
    if (options_.tell) options_.tell(text_of(step, result));
    begin_stretch();
  }

 private:
  void add_loss(std::size_t step, const adapter::StepResult& result) {
    if (step == 0) return;
    sum_ += result.loss;
    ++steps_;
  }

  bool ends_stretch(std::size_t step, const adapter::StepResult& result) const {
    return step % every_ == 0 || step == recipe_.total_steps || !std::isnan(result.agreement);
  }

  void begin_stretch() {
    sum_ = seconds_ = 0;
    steps_ = texts_ = 0;
  }

  std::string text_of(std::size_t step, const adapter::StepResult& result) const {
    std::string text = fmt::format("step {} of {}", step, recipe_.total_steps);
    if (steps_ > 0)
      text += fmt::format(", loss {:.4f}, {:.0f} captions/s", sum_ / static_cast<double>(steps_),
                          static_cast<double>(texts_) / std::max(1e-9, seconds_));
    if (!std::isnan(result.agreement)) text += fmt::format(", tau-c {:.4f}", result.agreement);
    return text;
  }

  const AdapterTraining& options_;
  const adapter::Recipe& recipe_;
  std::size_t every_;
  double sum_ = 0;  // of losses since it told last
  std::size_t steps_ = 0;
  double seconds_ = 0;  // of those of this run
  std::size_t texts_ = 0;
};

json data_facts(const AdapterTask& task) {
  json files = json::array();
  for (const AdapterData& file : task.data)
    files.push_back({{"file", short_name(file.path)},
                     {"images", file.images},
                     {"captions", file.captions},
                     {"held_out_by_caption", file.known},
                     {"held_out_by_name", file.named},
                     {"too_few_captions", file.few},
                     {"repeated", file.again}});
  return files;
}

// How the adapter came to be.
json facts_of(const AdapterTraining& options, const AdapterTask& task,
              const adapter::TrainedAdapter& trained) {
  json held_out = json::array();
  for (const AdapterHeldOut& one : options.held_out)
    held_out.push_back(one.layout.empty() ? short_name(one.path) : one.layout + ":" + short_name(one.path));
  json facts = {{"version", kVersion},
                {"command", "nn train-adapter"},
                {"base_fingerprint", task.base_fingerprint},
                {"recipe", adapter::recipe_facts(task.recipe)},
                {"strength", options.strength},
                {"seed", options.seed},
                {"device", options.device},
                {"data", data_facts(task)},
                {"held_out", std::move(held_out)}};
  if (task.ratings.rows > 0)
    facts["rated"] = {{"file", short_name(task.ratings.path)},
                      {"layout", options.rated_layout},
                      {"rows", task.ratings.rows},
                      {"held_out_by_caption", task.ratings.known},
                      {"held_out_by_name", task.ratings.named},
                      {"blank", task.ratings.blank}};
  if (task.validation.size() > 0)
    facts["validation"] = {{"file", short_name(options.validation)},
                           {"layout", options.validation_layout},
                           {"without", options.without},
                           {"rows", task.validation.size()},
                           {"tau_c", method::number_json(trained.steps.back().agreement)}};
  return facts;
}

void write_folder(const AdapterTraining& options, const AdapterTask& task,
                  const adapter::TrainedAdapter& trained) {
  const Precision precision = options.full ? Precision::full : Precision::half;
  const std::string base = told_base(options);
  world::OutputFolder folder(options.output);
  folder.write("adapter_config.json",
               adapter::config_text(task.recipe, base, facts_of(options, task, trained)));
  folder.write("adapter_model.safetensors", adapter::arrays_bytes(trained.arrays, precision));
  folder.finish();
}

AdapterTrained result_of(const AdapterTask& task, const adapter::TrainedAdapter& trained) {
  AdapterTrained result;
  result.base = task.base_description;
  result.parameters = method::learnt_numbers(trained.arrays);
  result.images = task.groups.images();
  result.batch = task.recipe.batch;
  result.data = task.data;
  result.rated = task.ratings;
  result.validation_rows = task.validation.size();
  for (const adapter::StepResult& step : trained.steps) result.steps.push_back({step.loss, step.agreement});
  result.resumed = trained.resumed;
  if (task.cut > 0)
    result.warnings.push_back(
        fmt::format("{} caption{} more tokens than the {} that the model takes; what follows is not seen",
                    task.cut, task.cut == 1 ? " has" : "s have", task.most_tokens));
  return result;
}

void check_held_out(const AdapterTraining& options) {
  const auto names = io::benchmark_names();
  for (const AdapterHeldOut& one : options.held_out) {
    if (!one.layout.empty() && std::ranges::find(names, one.layout) == names.end())
      throw UsageError(unknown_name_message("benchmark to hold out", one.layout, names));
  }
}

void check_rated(const AdapterTraining& options) {
  if (options.rated.empty()) {
    if (!options.rated_layout.empty())
      throw UsageError("there are no rated captions: give --rated FILE, or leave --rated-layout out");
    return;
  }
  if (options.rated_layout.empty())
    throw UsageError(
        fmt::format("{}: its layout is not told; give --rated-layout, e.g. nebula", options.rated));
  check_layout(options.rated_layout, LayoutUse::ratings);
  if (options.rated_batch == 0) throw UsageError("--rated-batch is 0, expected 3 or more");
}

void check_validation(const AdapterTraining& options) {
  if (options.validation.empty()) {
    if (!options.validation_layout.empty() || !options.without.empty())
      throw UsageError("there are no captions to validate on: give --valid FILE, or leave its options out");
    return;
  }
  if (options.validation_layout.empty())
    throw UsageError(
        fmt::format("{}: its layout is not told; give --valid-layout, e.g. composite", options.validation));
  check_layout(options.validation_layout, LayoutUse::ratings);
}

}  // namespace

AdapterTrained train_adapter(const AdapterTraining& options, const adapter::NetworkMaker& maker) {
  const Stopwatch clock;
  check_adapter_training(options);
  const std::string checkpoint = checkpoint_of(options.output);
  AdapterTask task = read_task(options);
  const auto network = maker.make(task.base, task.recipe, options.device, options.seed, options.threads);
  const adapter::Recipe recipe = task.recipe;
  task.base.arrays = {};
  Teller teller(options, recipe);
  adapter::TrainingLoop loop;
  loop.seed = options.seed;
  loop.fingerprint = fingerprint_of(task, options);
  loop.precision = options.full ? Precision::full : Precision::half;
  loop.strength = options.strength;
  loop.valid_every = options.validate_every;
  loop.checkpoint_every = options.checkpoint_every;
  loop.checkpoint = checkpoint;
  loop.restart = options.restart;
  loop.progress = options.progress;
  loop.after_resume = [&](const std::vector<adapter::StepResult>& steps) { teller.after_resume(steps); };
  loop.after_step = [&](std::size_t step, const adapter::StepResult& result, const adapter::StepWork& work) {
    teller.after_step(step, result, work);
  };
  const adapter::TrainedAdapter trained =
      adapter::train_adapter(*network, task.groups, task.validation, loop);
  write_folder(options, task, trained);
  std::error_code stays;  // a checkpoint that stays is of no harm
  fs::remove(checkpoint, stays);
  AdapterTrained result = result_of(task, trained);
  result.tell_every = options.tell_every;
  result.seconds = clock.seconds();
  return result;
}

}  // namespace pipeline

void check_adapter_training(const AdapterTraining& options) {
  using namespace pipeline;
  world::OutputFolder::check(options.output);
  check_device(options.device);
  if (options.captions.empty()) throw UsageError("there are no captions to learn from: give a file or more");
  if (!options.pooling.empty() && !reading_named(options.pooling))
    throw UsageError(unknown_name_message("pooling", options.pooling, adapter::kReadingNames));
  if (const std::string problem = adapter::recipe_problem(recipe_of(options)); !problem.empty())
    throw UsageError(problem);
  if (!(options.strength > 0 && options.strength <= 1))
    throw UsageError(fmt::format("--strength is {}, expected above 0, at most 1", options.strength));
  if (options.tell_every == 0) throw UsageError("--tell-every is 0, expected 1 or more");
  check_held_out(options);
  check_rated(options);
  check_validation(options);
}

AdapterTrained train_adapter(const AdapterTraining& options) {
  return pipeline::train_adapter(options, pipeline::load_adapter_training());
}

}  // namespace capella
