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
    R"(A rule is a conjunction of claims about the same image that share an object: On(x,y) ^ Ride(x,y). In mode lifted objects
become variables, as in the paper; in mode ground they stay, On(Man,Bike) ^ Ride(Man,Bike), as in the authors' program.
A rule is kept if it holds in --min-images images and if, for one of its claims, more than --min-confidence of the
images with that claim have all of them. Learns from the splits train and restval. The weights are initial guesses:
`capella mln weights` learns them.

Examples:
  capella mln structure triplets.jsonl -o rules.mln
  capella mln structure triplets.jsonl --mode ground --literals 2 -o rules.mln)";

}  // namespace

void add_mln_structure(Command& mln) {
  const auto command = std::make_shared<StructureCommand>();
  StructureRun& options = command->options;
  Command* app = mln.add_subcommand("structure", "Learn rules from triplets");
  app->add_option("TRIPLETS", options.triplets, "Triplets, from `capella mln triplets`")->required();
  app->add_option("--mode", command->mode, "Rules with variables (lifted), or about named objects (ground)")
      ->one_of({"lifted", "ground"})
      ->show_default();
  app->add_option("--predicates", options.top_predicates,
                  "Number of predicates to keep, the most frequent ones")
      ->check(not_negative)
      ->show_default();
  app->add_option("--literals", options.longest, "Maximum number of claims in a rule")
      ->between(1, 4)
      ->show_default();
  app->add_option("--min-images", options.min_images, "Minimum number of images in which a rule holds")
      ->check(not_negative)
      ->show_default();
  app->add_option("--min-confidence", options.min_confidence, "Confidence that a rule must exceed")
      ->check(share)
      ->show_default();
  app->add_option("--most-chains", options.most_chains, "Maximum number of chains of claims per image")
      ->check(not_negative)
      ->show_default();
  app->add_flag("--tree", options.tree,
                "Let a claim share an object with any earlier claim, not only with the last");
  app->add_flag("--substring", options.substring,
                "Match shared objects by substring, as in the authors' program");
  add_common(*app, command->common);
  app->get_option("--output")->description("Rules, .mln")->required();
  app->footer(kMlnStructureFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
