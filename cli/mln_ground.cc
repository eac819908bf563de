// capella mln ground
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

struct GroundCommand {
  CommonOptions common;
  GroundRun options;
};

void run(GroundCommand& command) {
  const report::Format format = summary_format(command.common);
  GroundRun& options = command.options;
  if (options.objects.empty() == options.references.empty())
    throw UsageError("expected either OBJECTS or --references: where are the things of an image from?");
  options.output = command.common.output;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  check_outputs(std::vector{options.output}, std::vector{options.network, options.objects, options.references,
                                                         options.mil, options.captions});
  const GroundSummary summary = mln_ground(options);
  if (!options.references.empty())
    notice(command.common, "things are those that references mention: a substitute for a detector");
  if (summary.empty > 0)
    warn(
        command.common,
        fmt::format("{} of {} images have no network: none of their things is a constant of the rules, which "
                    "are words in lower case and base form as `mln triplets` writes them (//@const in the "
                    "network)",
                    summary.empty, summary.images));
  emit_beside_file(command.common, format, report::format_ground(summary, format));
}

constexpr const char* kMlnGroundFooter =
    R"(Applies the rules to the objects detected in each image and writes one network per image, a line of JSON each; the first
line lists the rules. With --mil, evidence from the boxes is part of the networks.

Examples:
  capella mln ground network.mln objects.jsonl --mil mil.npz -o ground.jsonl
  capella mln ground network.mln --references test_references.json \
      -o ground.jsonl)";

}  // namespace

void add_mln_ground(Command& mln) {
  const auto command = std::make_shared<GroundCommand>();
  GroundRun& options = command->options;
  Command* app = mln.add_subcommand("ground", "Ground the rules in the objects of each image");
  app->add_option("NET", options.network, "Rules with weights, .mln")->required();
  app->add_option("OBJECTS", options.objects, "Detected objects (objects.jsonl)");
  app->add_option("--references", options.references, "References whose objects replace those of a detector");
  Option* mil = app->add_option("--mil", options.mil, "Attention networks, .npz, from `capella mln mil`");
  app->add_option("--captions", options.captions, "Ground only the images of these captions");
  app->add_flag("--aliases", options.aliases, "Add synonyms of objects as constants");
  app->add_option("--mil-tau", options.mil_tau, "Factor of the boxes' log odds; 0: off")
      ->needs(mil)
      ->show_default();
  add_common(*app, command->common);
  app->get_option("--output")->description("Networks of the images, .jsonl")->required();
  app->footer(kMlnGroundFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
