// Markov-logic verification end to end, on a generated world or on captions at hand. Every stage leaves its
// file in the run's folder and is not done twice.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/mln.h"
#include "capella/world.h"

#include "base/file.h"
#include "base/names.h"
#include "encoder/model_folder.h"
#include "io/objects.h"
#include "io/read.h"
#include "io/system_name.h"
#include "pipeline/mln_findings.h"
#include "pipeline/run_resources.h"
#include "pipeline/stage_folder.h"
#include "report/logic_report.h"
#include "report/mln_stage_report.h"
#include "resource/find.h"
#include "resource/word_relations.h"

namespace capella {
namespace {

namespace fs = std::filesystem;
using report::Format;

constexpr std::array<double, 3> kSplits = {.7, .1, .2};  // of a world that is made: many test images
constexpr std::size_t kLeastImages = 50;

// What a run reads of a generated world.
constexpr std::string_view kWorldParts[] = {"dataset.json",   "objects.jsonl",    "systems",
                                            "concepts.jsonl", "atom_ranks.jsonl", "logic"};

DataError no_world(const std::string& folder, const std::string& lacking) {
  return DataError(fmt::format(
      "{}: is no generated world: it has no {}; expected a folder with {}, as capella world makes it, or one "
      "that is not there yet",
      folder, lacking, fmt::join(kWorldParts, ", ")));
}

void check_world(const std::string& folder) {
  std::error_code error;
  for (const std::string_view part : kWorldParts) {
    if (!fs::exists(fs::path(folder) / part, error)) throw no_world(folder, std::string(part));
  }
}

// The files of captions, by the names of the systems.
std::map<std::string, std::string> systems_of_world(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  const fs::directory_iterator end;
  for (fs::directory_iterator entry(fs::path(folder) / "systems", error); !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    if (path.ends_with(".json") || path.ends_with(".json.gz")) files.push_back(path);
  }
  if (error)
    throw FileError(
        fmt::format("{}/systems: cannot be read: {}; expected a folder of captions, a .json file "
                    "for each system",
                    folder, error.message()));
  if (files.empty()) throw no_world(folder, "captions (.json) in systems");
  std::ranges::sort(files);
  std::map<std::string, std::string> named;
  for (const io::SystemFile& file : io::name_systems(files)) named[file.name] = file.path;
  return named;
}

// What entailment and triplets depend on besides their files.
std::vector<std::string> with_reader(std::vector<std::string> inputs) {
  inputs.push_back(resource::need(pipeline::kParserModel));
  inputs.push_back(resource::need(resource::WordRelations::kFile));
  return inputs;
}

// Which model judges what captions entail; empty: the rules.
std::string judge_settings(const NliJudge& judge) {
  if (judge.model.empty()) return "";
  return fmt::format("judge {} {}\n", encoder::ModelFolder(judge.model).description(), judge.device);
}

std::string stamp_of_features(const std::string& objects) {
  std::vector<std::string> files;
  for (const io::ImageObjects& image : io::read_objects(objects)) {
    if (!image.features.empty()) files.push_back(image.features);
  }
  return "features " + pipeline::stamp_of_files(files);
}

// A probability as a stage wrote it; none if it is damaged.
std::optional<double> read_probability(const std::string& words) {
  double value = 0;
  const char* const end = words.data() + words.size();
  const auto [stop, problem] = std::from_chars(words.data(), end, value);
  if (problem != std::errc{} || stop != end || !(value > 0 && value < 1)) return std::nullopt;
  return value;
}

class MlnRun {
 public:
  explicit MlnRun(const MlnStudyOptions& options)
      : options_(options),
        world_(options.world),
        stages_(checked(options).folder, "verification by Markov logic") {}

  MlnStudy run() {
    study_.generated = !world_.empty();
    if (study_.generated) make_world_if_missing();
    find_inputs();
    triplets();
    structure();
    weights();
    if (study_.generated) mil();
    ground();
    nli();
    infer();
    rank();
    explain();
    if (study_.generated) {
      study_.kinds = pipeline::find_error_kinds(study_.verification, options_.resamples, options_.seed);
      study_.returned = pipeline::learn_known_weights((fs::path(world_) / "logic").string(),
                                                      path("known.mln"), options_.threads);
      study_.concepts = concept_uncertainty(without_errors(), in_world("concepts.jsonl"), options_.resamples,
                                            options_.seed);
      study_.people =
          human_ranking(path("ground.jsonl"), in_world("atom_ranks.jsonl"), inference(), options_.resamples);
    }
    return std::move(study_);
  }

 private:
  static const MlnStudyOptions& checked(const MlnStudyOptions& options) {
    if (options.folder.empty()) throw UsageError("no folder was given; expected -o FOLDER");
    const bool own = !options.training.empty() || !options.references.empty() || !options.systems.empty();
    if (options.world.empty() == !own)
      throw UsageError(
          "expected either a generated world, or captions to learn from, references and systems");
    if (own && (options.training.empty() || options.references.empty() || options.systems.empty()))
      throw UsageError("expected captions to learn from (--train), references (--references) and systems");
    constexpr std::string_view kRules[] = {"lifted", "ground"};
    if (!options.rules.empty() && std::ranges::find(kRules, options.rules) == std::end(kRules))
      throw UsageError(unknown_name_message("kind of rules", options.rules, kRules));
    if (options.judge.model.empty() && options.judge.device != "cpu")
      throw UsageError("the rules that judge entailment run on the CPU: name a model, or no other device");
    judge_settings(options.judge);  // the model is there
    return options;
  }

  std::string path(std::string_view name) const { return stages_.path(name); }
  std::string in_world(const char* name) const { return (fs::path(world_) / name).string(); }

  void make_world_if_missing() {
    std::error_code error;
    if (fs::exists(world_, error)) return;
    if (options_.images < kLeastImages)
      throw UsageError(
          fmt::format("a world of {} images, expected {} or more", options_.images, kLeastImages));
    if (options_.tell)
      options_.tell(fmt::format("making the world {} with {} images", world_, options_.images));
    WorldOptions world;
    world.folder = world_;
    world.images = options_.images;
    world.seed = options_.seed;
    world.splits = kSplits;
    world.threads = options_.threads;
    world.progress = options_.progress;
    make_world(world);
  }

  // Which captions are judged: of a world those of test images only.
  void find_inputs() {
    if (!study_.generated) {
      references_ = options_.references;
      for (const io::SystemFile& file : io::name_systems(options_.systems))
        system_files_[file.name] = file.path;
      return;
    }
    check_world(world_);
    references_ = path("references.json");
    io::ReadOptions read;
    read.split = "test";
    const io::CaptionTable table = io::read_table_file(in_world("dataset.json"), read);
    nlohmann::ordered_json images = nlohmann::ordered_json::object();
    for (const io::CaptionRow& row : table.rows) images[std::string(row.id)].push_back(row.caption);
    write_file_atomically(references_, images.dump(1) + "\n");
    system_files_ = systems_of_world(world_);
    features_ = stamp_of_features(in_world("objects.jsonl"));
  }

  void stage(const std::string& name, const std::string& file, const std::string& settings,
             const std::vector<std::string>& inputs, const std::function<std::string()>& work) {
    MlnStage made{name, file, "", false};
    made.report = stages_.run(
        file, settings, inputs,
        [&] {
          if (options_.tell) options_.tell(name);
          return work();
        },
        made.reused);
    study_.stages.push_back(std::move(made));
  }

  void triplets() {
    TripletOptions options;
    options.captions = study_.generated ? in_world("dataset.json") : options_.training;
    std::vector<std::string> inputs = {options.captions};
    if (study_.generated) {
      options.splits = {"train", "val"};
      options.objects = in_world("objects.jsonl");
      inputs.push_back(options.objects);
    } else {
      options.exclude = options_.references;
      inputs.push_back(options.exclude);
    }
    options.output = path("triplets.jsonl");
    options.threads = options_.threads;
    options.progress = options_.progress;
    stage("triplets of captions", "triplets.jsonl", "", with_reader(inputs),
          [&] { return report::format_triplets(mln_triplets(options), Format::markdown); });
  }

  void structure() {
    StructureRun run;
    run.triplets = path("triplets.jsonl");
    run.output = path("rules.mln");
    run.ground = options_.rules.empty() ? !study_.generated : options_.rules == "ground";
    run.threads = options_.threads;
    run.progress = options_.progress;
    stage("rules", "rules.mln", run.ground ? "ground" : "lifted", {run.triplets},
          [&] { return report::format_structure(mln_structure(run), Format::markdown); });
  }

  void weights() {
    WeightLearning learning;
    learning.network = path("rules.mln");
    learning.worlds = {path("triplets.jsonl")};
    learning.output = path("network.mln");
    learning.threads = options_.threads;
    learning.progress = options_.progress;
    stage("weights of rules", "network.mln", "", {learning.network, learning.worlds[0]}, [&] {
      return report::format_learned_weights(learn_logic_weights(learning), Format::markdown, kWeightsShown);
    });
  }

  void mil() {
    MilRun run;
    run.objects = in_world("objects.jsonl");
    run.triplets = path("triplets.jsonl");
    run.output = path("mil.npz");
    run.both = true;
    run.seed = options_.seed;
    run.threads = options_.threads;
    run.progress = options_.progress;
    stage("attention networks of predicates", "mil.npz", fmt::format("seed {} {}", run.seed, features_),
          {run.objects, run.triplets}, [&] { return report::format_mil(mln_mil(run), Format::markdown); });
  }

  void ground() {
    GroundRun run;
    run.network = path("network.mln");
    run.captions = references_;
    run.output = path("ground.jsonl");
    run.threads = options_.threads;
    run.progress = options_.progress;
    std::vector<std::string> inputs = {run.network, references_};
    if (study_.generated) {
      run.objects = in_world("objects.jsonl");
      run.mil = path("mil.npz");
      inputs.insert(inputs.end(), {run.objects, run.mil});
    } else {
      run.references = references_;
      inputs = with_reader(inputs);
    }
    stage("networks of images", "ground.jsonl", features_, inputs,
          [&] { return report::format_ground(mln_ground(run), Format::markdown); });
  }

  void nli() {
    NliRun run;
    run.ground = path("ground.jsonl");
    run.output = path("nli.jsonl");
    run.judge = options_.judge;
    run.threads = options_.threads;
    run.progress = options_.progress;
    std::vector<std::string> inputs = {run.ground};
    std::string names;  // they are part of the file
    for (const auto& [name, file] : system_files_) {
      run.captions.push_back(name + "=" + file);
      inputs.push_back(file);
      names += name + "\n";
    }
    stage("entailment", "nli.jsonl", names + judge_settings(options_.judge), with_reader(inputs),
          [&] { return report::format_nli(mln_nli(run), Format::markdown); });
  }

  InferenceOptions inference() const {
    InferenceOptions made;
    made.seed = options_.seed;
    made.threads = options_.threads;
    made.progress = options_.progress;
    made.most_nodes = kMostNodesPerImage;
    return made;
  }

  std::string missed_stage() {
    const std::string objects = study_.generated ? in_world("objects.jsonl") : "";
    const std::string captions = study_.generated ? in_world("dataset.json") : references_;
    std::vector<std::string> inputs = {captions};
    if (study_.generated) inputs.push_back(objects);
    bool reused = false;
    return stages_.run(
        "missed.txt", "", with_reader(inputs),
        [&] {
          const double p = mln_missed_things(captions, study_.generated ? "val" : "", objects,
                                             options_.threads, options_.progress);
          write_file_atomically(path("missed.txt"), fmt::format("{}\n", p));
          return fmt::format("{}", p);
        },
        reused);
  }

  // A damaged note of an earlier run is made anew.
  double missed_things() {
    const std::optional<double> found = read_probability(missed_stage());
    if (found) return *found;
    stages_.forget("missed.txt");
    return read_probability(missed_stage()).value();
  }

  void infer() {
    run_.ground = path("ground.jsonl");
    run_.nli = path("nli.jsonl");
    run_.output = path("results.json");
    run_.resamples = options_.resamples;
    run_.inference = inference();
    run_.unseen = missed_things();
    const std::string settings =
        fmt::format("layout 2 unseen {} resamples {} seed {}", run_.unseen, run_.resamples, options_.seed);
    stage("probabilities of captions", "results.json", settings, {run_.ground, run_.nli}, [&] {
      mln_infer(run_);
      return std::string();
    });
    study_.verification = read_verification(run_.output);
    if (!study_.verification.systems.empty()) study_.test_images = study_.verification.systems[0].captions;
    tell_of_silent_systems();
  }

  // A system whose captions say nothing that the networks know is in no file of answers.
  void tell_of_silent_systems() {
    for (const auto& [name, file] : system_files_) {
      if (std::ranges::find(study_.verification.systems, name, &JudgedSystem::system) ==
          study_.verification.systems.end())
        study_.verification.notes.push_back(
            fmt::format("{}: no verdict, its captions say nothing that can be checked.", name));
    }
  }

  void rank() {
    std::vector<std::string> words;
    for (const JudgedSystem& system : study_.verification.systems)
      words.push_back(system.system + "=" + system_files_.at(system.system));
    study_.ranking = pipeline::rank_beside_metrics(study_.verification, references_, words, options_.threads,
                                                   options_.progress);
  }

  void explain() {
    for (const pipeline::Example& example :
         pipeline::choose_examples(study_.verification, study_.generated)) {
      study_.explanations.push_back(
          explain_mln(run_, example.system, example.image, system_files_.at(example.system)));
      study_.explanations.back().median = pipeline::median_log_prob(study_.verification, example.system);
    }
  }

  // The concepts of images are about images, so the captions without errors tell how uncertain they are.
  Verification without_errors() const {
    Verification made = study_.verification;
    std::erase_if(made.captions,
                  [](const JudgedCaption& caption) { return caption.system != "wrong-relation-0.00"; });
    return made;
  }

  static constexpr std::size_t kWeightsShown = 20;

  const MlnStudyOptions& options_;
  std::string world_;
  pipeline::StageFolder stages_;
  std::string references_;
  std::string features_;                             // of a world: when they were made
  std::map<std::string, std::string> system_files_;  // by name
  InferRun run_;
  MlnStudy study_;
};

}  // namespace

MlnStudy run_mln(const MlnStudyOptions& options) {
  return MlnRun(options).run();
}

}  // namespace capella
