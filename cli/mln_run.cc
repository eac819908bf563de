// capella mln run
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/file.h"
#include "cli/interrupt.h"
#include "cli/mln.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/mln_pictures.h"
#include "report/mln_study_report.h"

namespace capella::cli {
namespace {

struct RunCommand {
  CommonOptions common;
  MlnStudyOptions options;
  bool images_given = false;
};

void write_reports(const MlnStudy& study, const std::string& folder) {
  write_into_folder(folder, std::vector<NamedContent>{
                                {"report.md", report::format_mln_study(study, report::Format::markdown)},
                                {"report.json", report::format_mln_study(study, report::Format::json)}});
  write_into_folder(folder + "/pictures", report::draw_mln_study(study));
}

// The number of images is for a world that is made.
void check_images(const RunCommand& command) {
  const std::string& world = command.options.world;
  if (world.empty()) throw UsageError("--images is for a world that is made; it does not go with captions");
  std::error_code error;
  if (std::filesystem::exists(world, error))
    notice(command.common,
           fmt::format("{} is there already and has the images it has: --images {} does nothing", world,
                       command.options.images));
}

void run(RunCommand& command) {
  const report::Format format = report::format_by_name(command.common.format);
  MlnStudyOptions& options = command.options;
  options.folder = command.common.output;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& what) { notice(command.common, what); };
  if (command.images_given) check_images(command);
  const MlnStudy study = InterruptNotice(options.folder).during([&] { return run_mln(options); });
  write_reports(study, options.folder);
  CommonOptions to_screen = command.common;  // -o is the folder
  to_screen.output.clear();
  emit(to_screen, report::format_mln_study(study, format));
}

constexpr const char* kMlnRunFooter =
    R"(All stages one after the other: triplets, rules, weights, attention networks, networks of images, entailment,
probabilities, report. Files, report.md and pictures go to the folder of -o; a run that was cut off goes on where it
stopped, and what has not changed is not done again.

On a generated world the truth is known: which kinds of errors are seen, do known weights return, do people rank claims
as the network does. On captions of your own there is no detector: the things that references mention stand in for it.

Examples:
  capella mln run --world world -o verification
  capella mln run --train val2014.json --references test_references.json --system a.json --system b.json -o verification)";

}  // namespace

void add_mln_run(Command& mln) {
  const auto command = std::make_shared<RunCommand>();
  MlnStudyOptions& options = command->options;
  Command* app =
      mln.add_subcommand("run", "Everything end to end, on a generated world or captions of your own");
  app->add_option("--world", options.world, "Folder of a generated world; made if it is not there");
  app->add_option("--images", options.images, "Images of a world that is made")
      ->check(not_negative)
      ->show_default();
  app->add_option("--train", options.training, "Captions to learn rules from");
  app->add_option("--references", options.references, "Captions whose things stand in for a detector's");
  app->add_option("--system", options.systems,
                  "A system's captions; may be given several times; or NAME=FILE");
  app->add_option("--rules", options.rules, "Rules with variables (lifted) or about things by name (ground)")
      ->one_of({"lifted", "ground"});
  app->add_option("--nli-model", options.judge.model,
                  "A folder with a BERT or RoBERTa that judges entailment, as of mln nli --model");
  add_device(*app, options.judge.device);
  add_resamples(*app, options.resamples, "Resamples of images for intervals");
  add_common(*app, command->common);
  app->get_option("--output")->description("The folder for all files")->required();
  app->footer(kMlnRunFooter);
  app->callback([command, app] {
    command->images_given = app->count("--images") > 0;
    run(*command);
  });
}

}  // namespace capella::cli
