#include "cli/mln_captions.h"

#include "capella/error.h"

#include "cli/output.h"
#include "report/mln_report.h"

namespace capella::cli {

void add_captions_options(Command& app, CaptionsCommand& command) {
  InferRun& run = command.run;
  app.add_option("--ground", run.ground, "Score captions: networks of images, from mln ground");
  app.add_option("--nli", run.nli, "... and what captions entail, from mln nli or another model");
  app.add_option("--results", command.results,
                 "... and every caption's verdict goes to this file, for mln report");
  app.add_option("--margin", run.margin, "By how much an answer of the entailment model must lead")
      ->check(share)
      ->show_default();
  app.add_option("--unseen", run.unseen,
                 "How probable a claim about an undetected thing is; 0: it does not count")
      ->check(share)
      ->show_default();
  add_resamples(app, run.resamples, "Resamples of images for intervals of systems");
}

bool asks_for_captions(const CaptionsCommand& command) {
  return !command.run.ground.empty() || !command.run.nli.empty();
}

void run_captions(CaptionsCommand& command, const CommonOptions& common, const InferenceOptions& inference) {
  if (command.run.ground.empty() || command.run.nli.empty())
    throw UsageError("--ground and --nli go together; name both files");
  const report::Format format = result_format(common);
  command.run.inference = inference;
  command.run.output = command.results;
  check_outputs(std::vector{common.output, command.results},
                std::vector{command.run.ground, command.run.nli});
  const Verification verification = mln_infer(command.run);
  for (const std::string& note : verification.notes) warn(common, note);
  emit(common, format, report::format_verification(verification, format));
}

}  // namespace capella::cli
