// capella pregen generate
#include <fmt/format.h>

#include "capella/pregen.h"

#include "cli/generator_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pregen.h"
#include "report/generator_report.h"

namespace capella::cli {
namespace {

struct PregenGenerateCommand {
  CommonOptions common;
  GeneratorRun run;
  GenerationOptions options;
};

void run(PregenGenerateCommand& command) {
  const report::Format format = summary_format(command.common);
  GeneratorRun& options = command.run;
  take_common(command.common, options);
  const GenerationRun done = generate_captions(options, command.options);
  notice(command.common, fmt::format("{}: {} words in {:.1f} s", options.output, done.words, done.seconds));
  emit_beside_file(command.common, format, report::format_generation(done, format));
}

constexpr const char* kPregenGenerateFooter =
    R"(Beam search over log2 probabilities, without a length bonus; the unknown word is never generated. The output is a list of
{"image_id", "caption"}, as `capella score` and COCO's tools read it.

Examples:
  capella pregen generate merge_1.safetensors dataset.json vgg_feats.mat \
      -o merge_1.json
  capella pregen generate merge_1.safetensors dataset.json vgg_feats.mat \
      --beam 1 --most-words 20 -o greedy.json
  capella score dataset.json merge_1.json --split test --tokenizer karpathy)";

}  // namespace

void add_pregen_generate(Command& pregen) {
  const auto command = std::make_shared<PregenGenerateCommand>();
  Command* app = pregen.add_subcommand("generate", "Generate captions by beam search");
  add_generator_run(*app, command->run);
  GenerationOptions& options = command->options;
  app->add_option("--beam", options.beam, "Beam width; 0: the authors' (3; par 5)")
      ->check(not_negative)
      ->show_default();
  app->add_option("--least-words", options.least_words, "Minimum number of words in a caption")
      ->check(not_negative)
      ->show_default();
  app->add_option("--most-words", options.most_words, "Maximum number of words in a caption")
      ->check(not_negative)
      ->show_default();
  add_common(*app, command->common);
  app->get_option("--output")->description("Captions, a JSON list of {image_id, caption}")->required();
  app->footer(kPregenGenerateFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
