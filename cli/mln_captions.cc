#include "cli/mln_captions.h"

#include "capella/error.h"

#include "cli/output.h"
#include "report/mln_report.h"

namespace capella::cli {

void add_captions_options(Command& app, CaptionsCommand& command) {
  InferRun& run = command.run;
  app.add_option("--ground", run.ground,
                 "Score captions: networks of the images, from `capella mln ground`; needs --nli");
  app.add_option("--nli", run.nli,
                 "Score captions: entailments, from `capella mln nli` or another model; needs --ground");
  app.add_option("--results", command.results,
                 "Write the verdict on every caption to this file, for `capella mln report`");
  app.add_option("--margin", run.margin, "Margin by which an entailment must lead the other answers")
      ->check(share)
      ->show_default();
  app.add_option("--unseen", run.unseen,
                 "Probability of a claim about an undetected object; 0: ignore the claim")
      ->check(share)
      ->show_default();
  add_resamples(app, run.resamples, "Number of bootstrap resamples of images");
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
