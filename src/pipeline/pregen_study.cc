// The pre-gen study of a generated world. What takes long is left in the study's folder and not done again:
// models (whose training goes on where it was cut off), probabilities and captions with the seconds they
// took, parsed captions.
#include "capella/pregen_study.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/version.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/is_file.h"
#include "base/json_text.h"
#include "base/step_counter.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "io/stratum_table.h"
#include "method/pregen/generator_file.h"
#include "method/pregen/train_generator.h"
#include "pipeline/plugin.h"
#include "pipeline/pregen_findings.h"
#include "pipeline/pregen_study_world.h"

namespace capella {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kSettingsFile = "study.json";
constexpr const char* kDataFile = "data.txt";
constexpr const char* kJudges = "Judges";
constexpr std::size_t kStrata = 5;
constexpr std::size_t kLeastTestImages = 2 * kStrata;  // of one image alone, CIDEr is always 0
constexpr std::size_t kLeastImages =
    5 * kLeastTestImages;  // of a world that is made: a fifth are test images

/// Where a generator's files are.
struct Files {
  fs::path model, probabilities, captions, seconds;
};

std::string name_of(const StudiedGenerator& generator) {
  return fmt::format("{}_{}", generator.architecture, generator.run);
}

// Without links, and without a slash at the end.
fs::path resolved(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  if (error) throw FileError(fmt::format("{}: {}", path, error.message()));
  return whole.has_filename() ? whole : whole.parent_path();
}

// A network can be made on the device; throws UsageError if there is no such device.
void try_device(const std::string& device) {
  method::pregen::Recipe recipe = method::pregen::recipe(method::pregen::Architecture::merge, 3, 1);
  recipe.size = 1;
  pipeline::load_generators().make(recipe, device, 1, 1);
}

// Nothing that cannot be done is begun.
void check_options(const PregenStudyOptions& options) {
  if (options.shares.empty()) throw UsageError("no share of the training images was given");
  for (const double share : options.shares) {
    if (!(share > 0 && share <= 1))
      throw UsageError(fmt::format("a share of {}, expected above 0 to 1", share));
  }
  if (options.size == 0 || options.size > method::pregen::kMostSize)
    throw UsageError(fmt::format("a size of {}, expected 1 to {}", options.size, method::pregen::kMostSize));
  if (options.most_epochs > method::kMostEpochs)
    throw UsageError(fmt::format("{} epochs, expected at most {}", options.most_epochs, method::kMostEpochs));
  std::error_code none;
  if (!fs::exists(options.world, none) && options.images < kLeastImages)
    throw UsageError(fmt::format("a world of {} images, expected {} or more", options.images, kLeastImages));
  const fs::path world = resolved(options.world);
  const fs::path folder = resolved(options.folder);
  const auto [end, rest] = std::ranges::mismatch(world, folder);
  if (end == world.end())
    throw UsageError(
        fmt::format("{}: is, or lies in, the world's folder; choose another one", options.folder));
}

/// What asking a generator took; nothing if it was not asked, or was trained anew since.
struct Seconds {
  double metrics;  ///< probabilities of the test captions, and the pre-gen metrics of them
  double generation;
  double scoring;  ///< of the captions, by all post-gen scores, from their file
};

class PregenStudy {
 public:
  explicit PregenStudy(const PregenStudyOptions& options)
      : options_(options), folder_(options.folder), world_(options) {}

  PregenStudyResult run() {
    result_.training_images = world_.training_images();
    result_.test_images = world_.test_images();
    result_.test_captions = world_.test_captions();
    if (result_.test_images < kLeastTestImages)
      throw DataError(
          fmt::format("{}: has {} test images, expected {} or more; make a world with more images",
                      options_.world, result_.test_images, kLeastTestImages));
    open_folder();
    list_generators();
    train_generators();
    ask_generators();
    write_data_file();
    take_scores();
    correlate();
    result_.findings = pipeline::study_findings(result_);
    return std::move(result_);
  }

 private:
  void tell(const std::string& what) const {
    if (options_.tell) options_.tell(what);
  }

  void warn(const std::string& what) {
    if (std::ranges::find(result_.warnings, what) == result_.warnings.end()) result_.warnings.push_back(what);
  }

  // What the study's files depend on.
  std::string settings() const {
    const Json settings = {{"capella", kVersion},
                           {"world", fmt::format("{:016x}", world_.fingerprint())},
                           {"size", options_.size},
                           {"shares", options_.shares},
                           {"epochs", options_.most_epochs},
                           {"seed", options_.seed},
                           {"device", options_.device}};
    return json_text(settings, 1) + "\n";
  }

  void open_folder() {
    make_folder(folder_);
    const std::string path = (folder_ / kSettingsFile).string();
    if (!is_file(path)) {
      if (fs::directory_iterator(folder_) != fs::directory_iterator())
        throw UsageError(
            fmt::format("{}: holds something that is no study; choose another folder", folder_.string()));
      write_file_atomically(path, settings());
    } else if (read_file(path) != settings()) {
      throw UsageError(
          fmt::format("{}: holds a study of another world or with other options; choose another folder, or "
                      "delete this one to begin anew",
                      folder_.string()));
    }
    for (const char* part : {"models", "probs", "captions"}) make_folder(folder_ / part);
    write_file_atomically(references(), world_.references());
  }

  static void make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (!error && !fs::is_directory(path, error)) error = std::make_error_code(std::errc::not_a_directory);
    if (error) throw FileError(fmt::format("{}: {}", path.string(), error.message()));
  }

  std::string references() const { return (folder_ / "references.json").string(); }

  Files files(const StudiedGenerator& generator) const {
    const std::string name = name_of(generator);
    return {folder_ / "models" / (name + ".safetensors"), folder_ / "probs" / (name + ".bin"),
            folder_ / "captions" / (name + ".json"), folder_ / "captions" / (name + ".seconds")};
  }

  void list_generators() {
    for (std::size_t run = 1; run <= options_.shares.size(); ++run) {
      for (const std::string_view architecture : method::pregen::kArchitectureNames) {
        StudiedGenerator& generator = result_.generators.emplace_back();
        generator.architecture = architecture;
        generator.run = run;
        generator.share = options_.shares[run - 1];
      }
    }
  }

  // One thread each: networks as small as these gain nothing from more.
  void train_generators() {
    tell(fmt::format("training {} generators", result_.generators.size()));
    ThreadPool pool(options_.threads);
    StepCounter steps(options_.progress, "training", result_.generators.size());
    std::mutex mutex;
    pool.parallel_for(result_.generators.size(), [&](std::size_t i) {
      StudiedGenerator& generator = result_.generators[i];
      const bool trained = is_file(files(generator).model);
      if (!trained) train(generator, steps);
      steps.done();
      const std::lock_guard lock(mutex);
      take_facts(generator);
      if (!trained)
        tell(fmt::format("{} has learnt from {:g} % of the images: {} epochs, validation perplexity {:.2f}",
                         name_of(generator), 100 * generator.share, generator.epochs,
                         generator.validation_perplexity));
    });
  }

  // What an inner job tells of is how far the study is.
  static Progress within(StepCounter& steps) {
    return [&steps](std::string_view, std::size_t, std::size_t) { steps.still(); };
  }

  void train(const StudiedGenerator& generator, StepCounter& steps) const {
    GeneratorTraining training;
    training.inputs = world_.inputs();
    training.architecture = generator.architecture;
    training.output = files(generator).model.string();
    training.size = options_.size;
    training.most_epochs = options_.most_epochs;
    training.share = generator.share;
    training.seed = options_.seed + generator.run;
    training.device = options_.device;
    training.threads = 1;
    training.progress = within(steps);
    train_generator(training);
  }

  void take_facts(StudiedGenerator& generator) {
    const auto model =
        method::pregen::read_generator(files(generator).model.string(), method::pregen::GeneratorFile::model);
    generator.parameters = method::pregen::parameter_count(model.recipe);
    generator.epochs = model.facts.epochs.size() - 1;
    generator.best_epoch = model.facts.best_epoch;
    generator.validation_perplexity =
        std::exp2(model.facts.epochs.at(model.facts.best_epoch).log2_perplexity);
    result_.vocabulary = model.vocabulary.size();
  }

  // Probabilities of the test captions, and captions, one generator after the other: they are timed.
  void ask_generators() {
    tell("asking for probabilities and captions");
    StepCounter steps(options_.progress, "asking", result_.generators.size());
    for (StudiedGenerator& generator : result_.generators) {
      const Files paths = files(generator);
      const std::string model = fmt::format("{:016x}", hash_bytes(read_file(paths.model.string())));
      std::optional<Seconds> seconds = read_seconds(paths, model);
      if (!seconds) seconds = ask(paths, model, steps);
      generator.metric_seconds = seconds->metrics;
      generator.generation_seconds = seconds->generation;
      generator.scoring_seconds = seconds->scoring;
      captions_.push_back(paths.captions.string());
      probabilities_.push_back(paths.probabilities.string());
      steps.done();
    }
  }

  static std::optional<Seconds> read_seconds(const Files& paths, const std::string& model) {
    if (!is_file(paths.seconds) || !is_file(paths.probabilities) || !is_file(paths.captions)) return {};
    const Json kept = Json::parse(read_file(paths.seconds.string()), nullptr, false);
    const auto number = [&](const char* key) { return kept.contains(key) && kept[key].is_number(); };
    if (!kept.is_object() || kept.value("model", Json()) != Json(model) || !number("metrics") ||
        !number("generation") || !number("scoring"))
      return {};
    return Seconds{kept["metrics"].get<double>(), kept["generation"].get<double>(),
                   kept["scoring"].get<double>()};
  }

  Seconds ask(const Files& paths, const std::string& model, StepCounter& steps) const {
    GeneratorRun run;
    run.model = paths.model.string();
    run.inputs = world_.inputs();
    run.device = options_.device;
    run.threads = options_.threads;
    run.progress = within(steps);
    run.output = paths.probabilities.string();
    const double probability_seconds = generator_probabilities(run).seconds;
    const Stopwatch watch;
    pregen_metrics(run.output);
    Seconds seconds{probability_seconds + watch.seconds(), 0, 0};
    run.output = paths.captions.string();
    seconds.generation = generate_captions(run).seconds;
    seconds.scoring = score_captions(run.output);
    const Json kept = {{"model", model},
                       {"metrics", seconds.metrics},
                       {"generation", seconds.generation},
                       {"scoring", seconds.scoring}};
    write_file_atomically(paths.seconds.string(), json_text(kept, 1) + "\n");
    return seconds;
  }

  // How long it takes a user who has nothing but the captions.
  double score_captions(const std::string& captions) const {
    ScoreOptions scores;
    scores.metrics = {"meteor", "cider-d", "spice", "wmd"};
    scores.tokenizer = "none";
    scores.threads = options_.threads;
    const Stopwatch watch;
    score(read_dataset(references(), std::vector{captions}, {}), scores);
    return watch.seconds();
  }

  // Scores all captions, stratum by stratum, and keeps them beside the pre-gen metrics.
  void write_data_file() {
    tell("scoring and judging the captions");
    ReadOptions read;
    read.threads = options_.threads;
    const Dataset dataset = read_dataset(references(), captions_, read);
    StrataOptions strata;
    strata.data_set = "world";
    strata.most_strata = kStrata;
    strata.tokenizer = "none";  // they are tokens already
    strata.probabilities = probabilities_;
    strata.cache = (folder_ / "cache").string();
    strata.threads = options_.threads;
    strata.progress = options_.progress;
    strata.warn = [this](const std::string& what) { warn(what); };
    strata.given = {world_.judge(dataset, kJudges)};
    const std::string text = pregen_strata(dataset, strata);
    result_.data_file = (folder_ / kDataFile).string();
    write_file_atomically(result_.data_file, text);
  }

  // The generators' scores over all test images: rows of one stratum.
  void take_scores() {
    const io::StratumTable table = io::read_strata(result_.data_file);
    result_.posts = table.post;
    const std::size_t perplexity = place(table.pre, kPregenPerplexity);
    const std::size_t best = place(table.pre, kBestPregenMetric);
    for (const io::StratumRow& row : table.rows) {
      if (row.strata != 1) continue;
      for (StudiedGenerator& generator : result_.generators) {
        if (generator.architecture != row.architecture || std::to_string(generator.run) != row.run) continue;
        generator.post = row.post;
        generator.perplexity = row.pre[perplexity];
        generator.best_metric = row.pre[best];
      }
    }
  }

  static std::size_t place(const std::vector<std::string>& names, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  }

  void correlate() {
    tell("correlating");
    PregenCorrelationOptions correlation;
    correlation.resamples = options_.resamples;
    correlation.seed = options_.seed;
    correlation.threads = options_.threads;
    correlation.scatters = true;
    correlation.metrics = {kBestPregenMetric};
    result_.correlations = correlate_pregen_scores({result_.data_file}, {}, correlation);
    for (const PregenCorrelations& one : result_.correlations) {
      for (const std::string& warning : one.warnings) warn(warning);
    }
  }

  const PregenStudyOptions& options_;
  fs::path folder_;
  pipeline::StudyWorld world_;
  std::vector<std::string> captions_;  // files, one per generator
  std::vector<std::string> probabilities_;
  PregenStudyResult result_;
};

}  // namespace

PregenStudyResult study_pregen(const PregenStudyOptions& options) {
  check_options(options);
  // Opens the plug-in before there are other threads, since that sets what OpenBLAS reads when it is loaded.
  try_device(options.device);
  return PregenStudy(options).run();
}

}  // namespace capella
