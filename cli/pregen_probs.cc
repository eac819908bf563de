// capella pregen probs
#include <fmt/format.h>

#include "capella/pregen.h"

#include "cli/generator_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pregen.h"
#include "report/generator_report.h"

namespace capella::cli {
namespace {

struct PregenProbsCommand {
  CommonOptions common;
  GeneratorRun run;
};

void run(PregenProbsCommand& command) {
  const report::Format format = summary_format(command.common);
  GeneratorRun& options = command.run;
  take_common(command.common, options);
  const ProbabilityRun done = generator_probabilities(options);
  notice(command.common,
         fmt::format("{}: probabilities of {} words in {:.1f} s", options.output, done.words, done.seconds));
  emit_beside_file(command.common, format, report::format_probabilities(done, format));
}

constexpr const char* kPregenProbsFooter =
    R"(Writes the probability and the rank of every token of every caption of the split, the end of the caption included. Words
outside the generator's vocabulary count as the unknown word. A file that ends in .json has the layout of the authors of
the pre-gen metrics, any other a compact one.

Examples:
  capella pregen probs merge_1.safetensors dataset.json vgg_feats.mat \
      -o probs/merge_1.json
  capella pregen probs merge_1.safetensors dataset.json vgg_feats.mat \
      --split val -o val.bin
  capella pregen metrics probs/merge_1.json)";

}  // namespace

void add_pregen_probs(Command& pregen) {
  const auto command = std::make_shared<PregenProbsCommand>();
  Command* app = pregen.add_subcommand("probs", "Compute token probabilities of human captions");
  add_generator_run(*app, command->run);
  add_common(*app, command->common);
  app->get_option("--output")
      ->description("Probabilities: FILE.json, or another name for the binary layout")
      ->required();
  app->footer(kPregenProbsFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
