// capella mln nli
#include <memory>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "cli/mln.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/mln_stage_report.h"

namespace capella::cli {
namespace {

struct NliCommand {
  CommonOptions common;
  NliRun options;
  std::string pairs;
};

void tell_of_long(const NliCommand& command, std::size_t cut, std::string_view what) {
  if (cut == 0) return;
  warn(command.common, fmt::format("{} {}{} longer than the model reads, the ends were left out", cut, what,
                                   cut == 1 ? " is" : "s are"));
}

void run(NliCommand& command) {
  const report::Format format = report::format_by_name(command.common.format);
  if (!command.pairs.empty()) {
    if (!command.options.ground.empty()) throw UsageError("--pairs stands alone: name no GROUND");
    check_outputs(std::vector{command.common.output}, std::vector{command.pairs});
    const NliAccuracy accuracy = mln_nli_accuracy(
        {command.pairs, command.options.judge, command.common.threads, progress_bar(command.common)});
    tell_of_long(command, accuracy.cut, "pair");
    emit(command.common, report::format_nli_accuracy(accuracy, format));
    return;
  }
  NliRun& options = command.options;
  if (options.ground.empty() || options.captions.empty())
    throw UsageError("expected GROUND and CAPTIONS, or --pairs FILE");
  if (command.common.output.empty()) throw UsageError("-o FILE.jsonl is missing");
  options.output = command.common.output;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  std::vector<std::string> inputs = options.captions;
  inputs.push_back(options.ground);
  check_outputs(std::vector{options.output}, inputs);
  const NliSummary summary = mln_nli(options);
  tell_of_long(command, summary.cut, "question");
  emit_beside_file(command.common, report::format_nli(summary, format));
}

constexpr const char* kMlnNliFooter =
    R"(Asks of every caption which atoms of its image's network it entails and which it contradicts, with a built-in judge of
rules: scene graphs of both sides, synonyms, kinds and opposites from WordNet, relations that imply or exclude each
other. A line of JSON per answer that is not neutral: {"system", "image_id", "atom", "p": [contradiction, neutral,
entailment], "hypothesis"}. With --model a network judges: a BERT or RoBERTa for natural language inference, in a folder
as Hugging Face writes it; every line then names it ("judge"). Answers of any other model can be used instead: write
such a file.

Examples:
  capella mln nli ground.jsonl system1.json system2.json -o nli.jsonl
  capella mln nli ground.jsonl system1.json --model roberta-large-mnli -o nli.jsonl
  capella mln nli --pairs SICK_test.tsv                          how good is the judge? LABEL, PREMISE, HYPOTHESIS)";

}  // namespace

void add_mln_nli(Command& mln) {
  const auto command = std::make_shared<NliCommand>();
  NliRun& options = command->options;
  Command* app = mln.add_subcommand("nli", "What captions entail and contradict");
  app->add_option("GROUND", options.ground, "Networks of images, from mln ground");
  app->add_option("CAPTIONS", options.captions, "Captions, one file per system; or NAME=FILE");
  app->add_option("--pairs", command->pairs, "Judge pairs of sentences with known labels instead");
  app->add_option(
      "--model", options.judge.model,
      "A folder with a BERT or RoBERTa that was trained on MNLI or the like: it judges, not the rules");
  add_device(*app, options.judge.device);
  add_common(*app, command->common);
  app->footer(kMlnNliFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
