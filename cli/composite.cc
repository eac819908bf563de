// capella composite
#include "cli/composite.h"

#include <fmt/format.h>

#include "capella/error.h"

#include "cli/commands.h"

namespace capella::cli {
namespace {

constexpr const char* kCompositeFooter =
    R"(A composite metric is a small network that combines several scores into one, P(human). It is trained to tell human
captions from machine captions; the epoch that agrees best with human ratings is kept. eval-ms ... eval-mwcs, nneval and
lceval come with Capella (capella score -m eval-mcs); these commands train others.

Examples:
  capella composite features refs.json gat.json sg2caps.json -o train.jsonl
  capella composite features --benchmark flickr8k-expert Flickr8k/ \
      -o ratings.jsonl
  capella composite train train.jsonl --validate ratings.jsonl \
      --preset eval-ms -o mine.safetensors
  capella composite score mine.safetensors refs.json system.json
  capella score refs.json system.json -m cider-d,mine.safetensors)";

}  // namespace

void refuse_options(const Command& command, std::initializer_list<const char*> options,
                    const std::string& why) {
  for (const char* option : options) {
    if (command.count(option) > 0) throw UsageError(fmt::format("{}: {}", option, why));
  }
}

void add_composite(Command& program) {
  Command* app = program.add_subcommand("composite", "EVAL, NNEval, LCEval: learned combinations of scores");
  app->require_subcommand();
  add_composite_features(*app);
  add_composite_train(*app);
  add_composite_score(*app);
  add_composite_study(*app);
  app->footer(kCompositeFooter);
}

}  // namespace capella::cli
