// capella composite score
#include <fmt/format.h>

#include "capella/composite.h"
#include "capella/error.h"

#include "base/file.h"
#include "cli/composite.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/composite_report.h"
#include "report/result_report.h"

namespace capella::cli {
namespace {

struct CompositeScoreCommand {
  CommonOptions common;
  std::string model;
  InputOptions input;
  IntervalFlags intervals;
  std::string features;
  std::string tokenizer = "ptb";
  std::string cache;
  std::string per_item;
};

// The model's path is what `capella score -m` takes, where it must not look like a metric's name.
std::string metric_name(const std::string& model) {
  if (!model.ends_with(".safetensors"))
    throw UsageError(
        fmt::format("{}: expected a model's file, NAME.safetensors; metrics that come with Capella are "
                    "scored with `capella score -m NAME`",
                    model));
  return model;
}

void score_file(const Command& app, const CompositeScoreCommand& command, report::Format format) {
  refuse_options(app,
                 {"--ci", "--per-item", "--tokenizer", "--cache", "--missing", "--ids", "--skip-bad",
                  "--split", "--id-column", "--caption-column"},
                 "is for captions; leave it out with --features");
  if (!command.input.references.empty())
    throw UsageError("--features has the captions: leave REFS and HYPS out");
  check_outputs(std::vector{command.common.output}, std::vector{command.features, command.model});
  emit(command.common, format,
       report::format_scored_features(score_features(command.model, command.features), format));
}

void run(const Command& app, const CompositeScoreCommand& command) {
  const report::Format format = result_format(command.common);
  if (!command.features.empty()) return score_file(app, command, format);
  if (command.input.references.empty()) throw UsageError("give REFS and HYPS, or --features FILE");
  std::vector<std::string> inputs = command.input.systems;
  inputs.insert(inputs.end(), {command.input.references, command.model});
  check_outputs(std::vector{command.common.output, command.per_item}, inputs);
  MetricOptions metrics;
  metrics.metrics = metric_name(command.model);
  metrics.tokenizer = command.tokenizer;
  metrics.cache = command.cache;
  ScoreOptions options = score_options(metrics, command.common);
  options.intervals = interval_options(command.intervals, command.common);
  const Result result = score(read_input(command.input, command.common), options);
  for (const std::string& warning : result.warnings) warn(command.common, warning);
  if (!command.per_item.empty()) write_file_atomically(command.per_item, report::item_lines(result));
  emit(command.common, format, report::format_result(result, format, false));
}

constexpr const char* kCompositeScoreFooter =
    R"(With --features and --format json, scores are written in the format that `capella meta --scores` reads.

Examples:
  capella composite score mine.safetensors refs.json system.json
  capella composite features --benchmark composite composite.jsonl \
      -o features.jsonl
  capella composite score mine.safetensors --features features.jsonl \
      --format json -o mine.jsonl
  capella meta composite composite.jsonl --scores mine.jsonl)";

}  // namespace

void add_composite_score(Command& composite) {
  const auto command = std::make_shared<CompositeScoreCommand>();
  Command* app = composite.add_subcommand("score", "Score captions or a features file with a trained model");
  app->add_option("MODEL", command->model, "Model written by `capella composite train`")->required();
  add_input(*app, command->input);
  app->get_option("REFS")->required(false);
  app->add_option("--features", command->features, "Features file to score instead of captions");
  add_interval_options(*app, command->intervals);
  app->add_option("--tokenizer", command->tokenizer, "Tokenizer; use the one that the model was trained with")
      ->show_default();
  app->add_option("--cache", command->cache, "Folder that caches parsed captions for later runs");
  app->add_option("--per-item", command->per_item, "Write the score of every caption to this file (JSONL)");
  add_common(*app, command->common);
  app->footer(kCompositeScoreFooter);
  app->callback([command, app] { run(*app, *command); });
}

}  // namespace capella::cli
