// capella meta foil-set
#include <fmt/format.h>

#include "capella/foil_set.h"

#include "cli/meta.h"
#include "cli/options.h"
#include "cli/output.h"

namespace capella::cli {
namespace {

struct FoilSetCommand {
  CommonOptions common;
  std::string references;
  FoilSetOptions options;
  ReadOptions read;
};

void run(const FoilSetCommand& command) {
  expect_no_format(command.common, "pairs are lines of JSON");
  check_outputs(std::vector{command.common.output}, std::vector{command.references});
  ReadOptions read = command.read;
  read.threads = command.common.threads;
  const Dataset dataset = read_dataset(command.references, {}, read);
  warn_of_skipped(dataset, command.common);
  FoilSetOptions options = command.options;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  const std::vector<FoilPair> pairs = make_foil_set(dataset, options);
  if (pairs.size() < options.pairs) {
    warn(command.common, fmt::format("{} pairs asked for, {} can be made of {} images", options.pairs,
                                     pairs.size(), dataset.size()));
  }
  emit(command.common, foil_set_lines(pairs));
  notice(command.common, fmt::format("{} pairs of {} images", pairs.size(), dataset.size()));
}

constexpr const char* kMetaFoilSetExamples =
    R"(Replaces one noun of a caption by another of the same category ("dog" by "horse") that none of the image's captions
mentions. The nouns come from COCO's categories; the set is not the published FOIL.

Examples:
  capella meta foil-set coco_refs.json -o foil.jsonl
  capella meta foil foil.jsonl    # evaluate metrics on it
  capella meta foil-set coco_refs.json --pairs 5000 --seed 1 -o foil.jsonl)";

}  // namespace

void add_meta_foil_set(Command& meta) {
  const auto command = std::make_shared<FoilSetCommand>();
  Command* app = meta.add_subcommand("foil-set", "Make caption pairs that differ in one wrong noun");
  app->add_option("REFS", command->references, "References, in any format that `capella score` reads")
      ->required();
  app->add_option("--pairs", command->options.pairs,
                  "Number of pairs, at most one per image; default: as many as possible")
      ->check(above_zero);
  add_read_options(*app, command->read);
  add_common(*app, command->common);
  app->get_option("--format")->description("Not used: pairs are lines of JSON");
  app->footer(kMetaFoilSetExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
