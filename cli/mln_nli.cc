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
  if (!command.pairs.empty()) {
    const report::Format format = result_format(command.common);
    if (!command.options.ground.empty()) throw UsageError("found --pairs and GROUND, expected one of them");
    check_outputs(std::vector{command.common.output}, std::vector{command.pairs});
    const NliAccuracy accuracy = mln_nli_accuracy(
        {command.pairs, command.options.judge, command.common.threads, progress_bar(command.common)});
    tell_of_long(command, accuracy.cut, "pair");
    emit(command.common, format, report::format_nli_accuracy(accuracy, format));
    return;
  }
  const report::Format format = summary_format(command.common);
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
  emit_beside_file(command.common, format, report::format_nli(summary, format));
}

constexpr const char* kMlnNliFooter =
    R"(Decides which atoms of its image's network every caption entails and which it contradicts, by built-in rules: scene
graphs of both sides, synonyms, hypernyms and antonyms from WordNet, relations that imply or exclude each other. Writes
a line of JSON per answer that is not neutral: {"system", "image_id", "atom", "p": [contradiction, neutral, entailment],
"hypothesis"}. With --model, a BERT or RoBERTa for natural language inference decides, and every line names it
("judge"). The answers of any other model work too: write such a file.

Examples:
  capella mln nli ground.jsonl system1.json system2.json -o nli.jsonl
  capella mln nli ground.jsonl system1.json --model roberta-large-mnli \
      -o nli.jsonl
  capella mln nli --pairs SICK_test.tsv    # accuracy on known labels)";

}  // namespace

void add_mln_nli(Command& mln) {
  const auto command = std::make_shared<NliCommand>();
  NliRun& options = command->options;
  Command* app = mln.add_subcommand("nli", "Find what captions entail and contradict");
  app->add_option("GROUND", options.ground, "Networks of the images, from `capella mln ground`");
  app->add_option("CAPTIONS", options.captions, "Captions, one FILE or NAME=FILE per system");
  app->add_option("--pairs", command->pairs,
                  "Evaluate on sentence pairs instead: columns LABEL, PREMISE, HYPOTHESIS");
  app->add_option("--model", options.judge.model,
                  "Folder of a BERT or RoBERTa for natural language inference (such as MNLI), to use instead "
                  "of the rules");
  add_device(*app, options.judge.device);
  add_common(*app, command->common);
  app->footer(kMlnNliFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
