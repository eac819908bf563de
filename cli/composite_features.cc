// capella composite features
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/composite.h"
#include "capella/error.h"

#include "cli/composite.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/table.h"

namespace capella::cli {
namespace {

struct FeaturesCommand {
  CommonOptions common;
  std::vector<std::string> paths;
  std::string benchmark;
  std::vector<std::string> left_out;
  std::vector<std::string> scores;
  std::string source;
  std::vector<std::string> settings;
  std::string tokenizer = "ptb-iso";
  std::string cache;
  std::string missing = "error";
  std::size_t captions = 5;
  std::size_t humans = 3;
  std::string machines = "other";
  bool unlabelled = false;
};

FeatureOptions feature_options(const FeaturesCommand& command) {
  FeatureOptions options;
  options.scores = command.scores;
  options.output = command.common.output;
  options.run.tokenizer = command.tokenizer;
  options.run.settings = command.settings;
  options.run.cache = command.cache;
  options.run.threads = command.common.threads;
  options.run.progress = progress_bar(command.common);
  return options;
}

// "composite=FILE": the images of a benchmark.
std::vector<std::string> images_of(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos)
    throw UsageError(fmt::format(
        "--leave-out: found '{}', expected BENCHMARK=PATH, e.g. composite=composite.jsonl", word));
  MetaOptions benchmark;
  benchmark.benchmark = word.substr(0, equals);
  benchmark.path = word.substr(equals + 1);
  check_benchmark_name(benchmark.benchmark);
  return benchmark_images(benchmark);
}

Dataset read_captions(const FeaturesCommand& command) {
  ReadOptions read;
  read.threads = command.common.threads;
  read.skip_missing = command.missing == "skip";
  const std::vector<std::string> systems(command.paths.begin() + 1, command.paths.end());
  return read_dataset(command.paths[0], systems, read);
}

TrainingCaptions training_captions(const FeaturesCommand& command) {
  TrainingCaptions captions;
  for (const std::string& word : command.left_out) {
    const auto images = images_of(word);
    captions.left_out.insert(captions.left_out.end(), images.begin(), images.end());
  }
  captions.dataset = read_captions(command);
  captions.source = command.source.empty() ? command.paths[0] : command.source;
  captions.captions = command.captions;
  captions.humans = command.humans;
  captions.other_images = command.machines == "other";
  captions.seed = command.common.seed;
  return captions;
}

FeatureSummary make(const FeaturesCommand& command) {
  const FeatureOptions options = feature_options(command);
  if (!command.benchmark.empty()) {
    MetaOptions benchmark;
    benchmark.benchmark = command.benchmark;
    benchmark.path = command.paths[0];
    return write_benchmark_features(benchmark, options);
  }
  if (command.unlabelled) return write_caption_features(read_captions(command), options);
  return write_training_features(training_captions(command), options);
}

// Options of captions to learn from mean nothing for others.
void check_given(const Command& app, const FeaturesCommand& command) {
  if (!command.benchmark.empty()) {
    refuse_options(
        app, {"--unlabelled", "--leave-out", "--source", "--captions", "--humans", "--machines", "--missing"},
        "a benchmark has its captions as they are; leave it out with --benchmark");
  } else if (command.unlabelled) {
    refuse_options(app, {"--leave-out", "--source", "--captions", "--humans", "--machines"},
                   "is for captions to learn from; leave it out with --unlabelled");
  }
}

void run(const Command& app, const FeaturesCommand& command) {
  report::format_by_name(command.common.format);
  check_given(app, command);
  if (!command.benchmark.empty()) {
    check_benchmark_name(command.benchmark);
    if (command.paths.size() != 1) throw UsageError("--benchmark takes one folder or file");
  } else if (command.paths.size() < 2) {
    throw UsageError("give the human captions and those of one machine or more, or --benchmark NAME");
  }
  check_outputs(std::vector{command.common.output}, command.paths);
  const FeatureSummary made = make(command);
  for (const std::string& warning : made.warnings) warn(command.common, warning);
  std::string told = fmt::format("{}: {} rows of {} images, {}", command.common.output, made.rows,
                                 made.images, fmt::join(made.columns, ", "));
  if (made.human > 0) told += fmt::format("; {} human, {} machine", made.human, made.rows - made.human);
  if (made.left_out > 0) told += fmt::format("; {} images left out", made.left_out);
  if (made.too_few > 0)
    told += fmt::format("; {} images with fewer than {} captions", made.too_few, command.captions);
  notice(command.common, told);
}

constexpr const char* kCompositeFeaturesFooter =
    R"(For training, REFS are human captions and HYPS are machine captions. Three of an image's five human captions are
candidates, each with the other four as references; a machine caption gets four of the five. CIDEr uses the document
frequencies of COCO val. Without --scores, all scores that the presets use are computed.

Examples:
  capella composite features refs.json gat.json sg2caps.json \
      --leave-out composite=composite.jsonl -o train.jsonl
  capella composite features --benchmark flickr8k-expert Flickr8k/ \
      -o ratings.jsonl
  capella composite features --benchmark composite composite.jsonl \
      --scores METEOR,SPICE -o ms.jsonl
  capella composite features --unlabelled refs.json system.json -o system.jsonl)";

}  // namespace

void add_composite_features(Command& composite) {
  const auto command = std::make_shared<FeaturesCommand>();
  Command* app = composite.add_subcommand("features", "Write scores of captions to a file for training");
  app->add_option("PATHS", command->paths, "REFS and HYPS..., or the folder or file of --benchmark")
      ->required();
  app->add_option("--benchmark", command->benchmark,
                  "Use the rated captions of this benchmark: flickr8k-expert, composite ...");
  app->add_option("--leave-out", command->left_out,
                  "Exclude the images of BENCHMARK=PATH from training; may be repeated")
      ->repeated();
  app->add_option("--scores", command->scores,
                  "Scores to compute, e.g. METEOR,SPICE; default: all that the presets use")
      ->comma_separated();
  app->add_option("--source", command->source,
                  "Description of where the captions come from, stored in the models");
  app->add_option("--captions", command->captions, "Number of human captions to use per image")
      ->check(not_negative)
      ->show_default();
  app->add_option("--humans", command->humans, "Number of them that are candidates")
      ->check(not_negative)
      ->show_default();
  app->add_option("--machines", command->machines,
                  "Machine captions of the same image (own), or of another one (other)")
      ->one_of({"own", "other"})
      ->show_default();
  app->add_flag("--unlabelled", command->unlabelled,
                "Write scores only, without labels for human and machine");
  app->add_option(
         "--set", command->settings,
         "Metric setting, METRIC.KEY=VALUE, e.g. wmd.vectors=FILE; stored in the models; may be repeated")
      ->repeated();
  app->add_option("--tokenizer", command->tokenizer, "Tokenizer: ptb-iso, ptb, 13a, none or karpathy")
      ->show_default();
  app->add_option("--cache", command->cache, "Folder that caches parsed captions for later runs");
  app->add_option("--missing", command->missing, "Ids that some files lack: error, or skip (use the others)")
      ->one_of({"error", "skip"})
      ->show_default();
  add_common(*app, command->common);
  app->get_option("--format")->description("Not used: the file has one layout");
  app->get_option("--output")->description("File to write")->required();
  app->footer(kCompositeFeaturesFooter);
  app->callback([command, app] { run(*app, *command); });
}

}  // namespace capella::cli
