// capella pregen
#include "cli/pregen.h"

#include "cli/commands.h"

namespace capella::cli {
namespace {

constexpr const char* kPregenFooter =
    R"(Pre-gen metrics predict the quality of a caption generator from the probabilities that it assigns to human captions,
before it generates any: seconds instead of hours. There are 504, including perplexity; docs/pregen.md says which
predict best.

Examples:
  capella pregen metrics test_probs.json
  capella pregen train dataset.json feats.npy -a init -o init.safetensors
  capella pregen probs init.safetensors dataset.json feats.npy -o init_1.bin
  capella pregen generate init.safetensors dataset.json feats.npy -o init_1.json
  capella pregen strata refs.json init_1.json --probs init_1.bin -o data.txt
  capella pregen correlate data.txt --post CIDEr
  capella pregen plot data.txt -o figures
  capella pregen study --world world -o study    # all of it)";

}  // namespace

void add_pregen(Command& program) {
  Command* app = program.add_subcommand("pregen", "Predict a caption generator's scores before it generates");
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
