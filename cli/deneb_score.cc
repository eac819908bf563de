// capella deneb score
#include "capella/deneb.h"

#include "base/file.h"
#include "cli/deneb.h"
#include "cli/generator_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/result_report.h"

namespace capella::cli {
namespace {

struct DenebScoreCommand {
  CommonOptions common;
  InputOptions input;
  IntervalFlags intervals;
  DenebScoring options;
  std::string per_item;
  bool short_signatures = false;
};

void run(DenebScoreCommand& command) {
  const report::Format format = result_format(command.common);
  std::vector<std::string> inputs = command.input.systems;
  inputs.insert(inputs.end(), {command.input.references, command.options.model});
  check_outputs(std::vector{command.common.output, command.per_item}, inputs);
  DenebScoring& options = command.options;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.intervals = interval_options(command.intervals, command.common);
  const Result result = score_deneb(read_input(command.input, command.common), options);
  for (const std::string& warning : result.warnings) warn(command.common, warning);
  if (!command.per_item.empty()) write_file_atomically(command.per_item, report::item_lines(result));
  emit(command.common, format, report::format_result(result, format, command.short_signatures));
}

constexpr const char* kDenebScoreFooter =
    R"(On the CPU this gives what `capella score -m deneb` gives; --device cuda uses the torch plug-in. --parity reproduces the
authors' program, where a score depends on the other captions of its batch: layers of the sentence encoder are
normalized over the batch, and all captions of a batch get as many references as the one with the fewest.

Examples:
  capella deneb score refs.json mine.json --model deneb.safetensors \
      --clip clip-vit-b-32 --text sup-simcse-roberta-base --images val2014
  capella deneb score refs.json a.json b.json --model deneb.safetensors \
      --clip clip --text minilm --images val2014 --ci --per-item items.jsonl)";

}  // namespace

void add_deneb_score(Command& deneb) {
  const auto command = std::make_shared<DenebScoreCommand>();
  DenebScoring& options = command->options;
  Command* app = deneb.add_subcommand("score", "Score captions with a trained model");
  add_input(*app, command->input);
  add_images(*app, command->input);
  app->add_option("--model", options.model,
                  "Model written by `capella deneb train`, or text-minilm, which comes with Capella")
      ->required();
  add_deneb_encoders(*app, options.encoders);
  app->add_flag("--parity", options.parity, "Reproduce the authors' program, which scores in batches");
  app->add_option("--refs-policy", options.references,
                  "References to use: all, or zip-min (as many as the caption with the fewest in its batch)")
      ->show_default("all; with --parity zip-min");
  app->add_option("--batch", options.batch,
                  "Batch size; 0: 32 if scores depend on it, otherwise chosen for speed")
      ->check(not_negative)
      ->show_default();
  app->add_option("--heads", options.heads,
                  "Number of attention heads, for a file of the authors' program, which does not say")
      ->check(not_negative)
      ->show_default("8");
  add_device(*app, options.device);
  add_interval_options(*app, command->intervals);
  app->add_option("--per-item", command->per_item, "Write the score of every caption to this file (JSONL)");
  app->add_flag("--short-signatures", command->short_signatures, "Abbreviate the signatures below the table");
  add_common(*app, command->common);
  app->footer(kDenebScoreFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
