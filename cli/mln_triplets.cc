// capella mln triplets
#include <memory>

#include "capella/mln.h"

#include "cli/mln.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/mln_stage_report.h"

namespace capella::cli {
namespace {

struct TripletsCommand {
  CommonOptions common;
  TripletOptions options;
};

void run(TripletsCommand& command) {
  const report::Format format = summary_format(command.common);
  TripletOptions& options = command.options;
  options.output = command.common.output;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  check_outputs(std::vector{options.output}, std::vector{options.captions, options.objects, options.exclude});
  const TripletSummary summary = mln_triplets(options);
  emit_beside_file(command.common, format, report::format_triplets(summary, format));
}

constexpr const char* kMlnTripletsFooter =
    R"(Extracts what captions claim about two objects, as [subject, predicate, object] in base forms, a line of JSON per
caption: {"image_id": "7", "split": "train", "caption_id": "0", "triplets": [["man", "ride", "bike"]]}.

Examples:
  capella mln triplets captions.json -o triplets.jsonl
  capella mln triplets dataset.json --split train --split val -o triplets.jsonl
  capella mln triplets val2014.json --exclude test_references.json \
      -o triplets.jsonl)";

}  // namespace

void add_mln_triplets(Command& mln) {
  const auto command = std::make_shared<TripletsCommand>();
  TripletOptions& options = command->options;
  Command* app = mln.add_subcommand("triplets", "Extract relations between objects from captions");
  app->add_option("CAPTIONS", options.captions, "Captions, in any format that `capella score` reads")
      ->required();
  app->add_option("--split", options.splits, "Split of a Karpathy dataset.json; may be repeated");
  app->add_option("--objects", options.objects,
                  "Detected objects (objects.jsonl), whose labels replace synonyms");
  app->add_option("--exclude", options.exclude, "Captions whose images to exclude");
  app->add_flag("--as-worded", options.as_worded,
                "Keep the words of the captions: near, beside and by are then three predicates");
  add_common(*app, command->common);
  app->get_option("--output")->description("Triplets, .jsonl")->required();
  app->footer(kMlnTripletsFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
