// capella mln structure
#include <memory>

#include "capella/mln.h"

#include "cli/mln.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/mln_stage_report.h"

namespace capella::cli {
namespace {

struct StructureCommand {
  CommonOptions common;
  StructureRun options;
  std::string mode = "lifted";
};

void run(StructureCommand& command) {
  const report::Format format = summary_format(command.common);
  StructureRun& options = command.options;
  options.output = command.common.output;
  options.ground = command.mode == "ground";
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  check_outputs(std::vector{options.output}, std::vector{options.triplets});
  const StructureSummary summary = mln_structure(options);
  emit_beside_file(command.common, format, report::format_structure(summary, format));
}

constexpr const char* kMlnStructureFooter =
    R"(Rules are conjunctions of claims that share a thing and are told of the same images: On(x,y) ^ Ride(x,y). With --mode
lifted things become variables, as in the paper; with --mode ground they stay, On(Man,Bike) ^ Ride(Man,Bike), as in the
authors' program. A rule is kept if it holds in --min-images images, and if of the images that tell one of its claims more
than --min-confidence tell all of them. Rows of split train and restval are learned from. Weights are first guesses:
`capella mln weights` learns them.

Examples:
  capella mln structure triplets.jsonl -o rules.mln
  capella mln structure triplets.jsonl --mode ground --literals 2 -o rules.mln)";

}  // namespace

void add_mln_structure(Command& mln) {
  const auto command = std::make_shared<StructureCommand>();
  StructureRun& options = command->options;
  Command* app = mln.add_subcommand("structure", "Rules from triplets");
  app->add_option("TRIPLETS", options.triplets, "triplets.jsonl")->required();
  app->add_option("--mode", command->mode, "Rules with variables, or about things by name")
      ->one_of({"lifted", "ground"})
      ->show_default();
  app->add_option("--predicates", options.top_predicates, "How many of the most frequent predicates are kept")
      ->check(not_negative)
      ->show_default();
  app->add_option("--literals", options.longest, "Claims of the longest rules, 1 to 4")
      ->between(1, 4)
      ->show_default();
  app->add_option("--min-images", options.min_images, "Images a rule must hold in")
      ->check(not_negative)
      ->show_default();
  app->add_option("--min-confidence", options.min_confidence, "Of each claim of a rule; must be exceeded")
      ->check(share)
      ->show_default();
  app->add_option("--most-chains", options.most_chains, "Chains of claims looked at per image")
      ->check(not_negative)
      ->show_default();
  app->add_flag("--tree", options.tree,
                "A claim may share a thing with any earlier one, not only with the last");
  app->add_flag("--substring", options.substring,
                "Things are shared as in the authors' program, by substring");
  add_common(*app, command->common);
  app->get_option("--output")->required();
  app->footer(kMlnStructureFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
