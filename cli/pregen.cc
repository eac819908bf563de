// capella pregen
#include "cli/pregen.h"

#include "cli/commands.h"

namespace capella::cli {
namespace {

constexpr const char* kPregenFooter =
    R"(Pre-gen metrics judge a caption generator by the probabilities it gives to captions that people wrote, before
it writes any itself: seconds instead of hours. 504 of them, among them perplexity; docs/pregen.md says which predict best.

Examples:
  capella pregen metrics test_probs.json                         all metrics of a generator
  capella pregen train dataset.json feats.npy -a init -o init.safetensors
  capella pregen probs init.safetensors dataset.json feats.npy -o init_1.bin
  capella pregen generate init.safetensors dataset.json feats.npy -o init_1.json
  capella pregen strata refs.json init_1.json --probs init_1.bin -o data.txt
  capella pregen correlate data.txt --post CIDEr                 which metric predicts CIDEr?
  capella pregen plot data.txt -o pictures
  capella pregen study --world world -o study                    all of it, on a generated world)";

}  // namespace

void add_pregen(Command& program) {
  Command* app = program.add_subcommand(
      "pregen", "Judge a caption generator before it generates: metrics, train, correlate, study");
  app->require_subcommand();
  add_pregen_metrics(*app);
  add_pregen_strata(*app);
  add_pregen_correlate(*app);
  add_pregen_plot(*app);
  add_pregen_train(*app);
  add_pregen_probs(*app);
  add_pregen_generate(*app);
  add_pregen_study(*app);
  app->footer(kPregenFooter);
}

}  // namespace capella::cli
