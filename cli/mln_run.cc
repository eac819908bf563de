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
  if (world.empty()) throw UsageError("--images is only for a world that is made; leave it out for captions");
  std::error_code error;
  if (std::filesystem::exists(world, error))
    notice(command.common,
           fmt::format("{} is there already and has the images it has: --images {} does nothing", world,
                       command.options.images));
}

void run(RunCommand& command) {
  const report::Format format = summary_format(command.common);
  MlnStudyOptions& options = command.options;
  options.folder = command.common.output;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& what) { notice(command.common, what); };
  if (command.images_given) check_images(command);
  const MlnStudy study = InterruptNotice(options.folder).during([&] { return run_mln(options); });
  write_reports(study, options.folder);
  emit(on_screen(command.common), format, report::format_mln_study(study, format));
}

constexpr const char* kMlnRunFooter =
    R"(Runs all stages: triplets, structure, weights, mil, ground, nli, infer, report. Files, report.md and figures go to the
folder of -o; an interrupted run resumes where it stopped, and stages whose input has not changed are not repeated.

On a generated world the truth is known: the report shows which errors are detected, whether known weights are
recovered, and whether people rank claims as the network does. On your own captions there is no detector: the objects
that references mention replace it.

Examples:
  capella mln run --world world -o verification
  capella mln run --train val2014.json --references test_references.json \
      --system a.json --system b.json -o verification)";

}  // namespace

void add_mln_run(Command& mln) {
  const auto command = std::make_shared<RunCommand>();
  MlnStudyOptions& options = command->options;
  Command* app = mln.add_subcommand("run", "Run all stages, on a generated world or your own captions");
  app->add_option("--world", options.world, "Folder of a generated world, made if it does not exist");
  app->add_option("--images", options.images, "Number of images, if the world is made")
      ->check(not_negative)
      ->show_default();
  app->add_option("--train", options.training, "Captions to learn rules from");
  app->add_option("--references", options.references, "References whose objects replace those of a detector");
  app->add_option("--system", options.systems, "Captions of a system, FILE or NAME=FILE; may be repeated");
  app->add_option("--rules", options.rules, "Rules with variables (lifted), or about named objects (ground)")
      ->one_of({"lifted", "ground"});
  app->add_option("--nli-model", options.judge.model,
                  "Folder of a model for entailment, as for `capella mln nli --model`");
  add_device(*app, options.judge.device);
  add_resamples(*app, options.resamples, "Number of bootstrap resamples of images");
  add_common(*app, command->common);
  app->get_option("--output")->description("Folder for all files")->required();
  app->footer(kMlnRunFooter);
  app->callback([command, app] {
    command->images_given = app->count("--images") > 0;
    run(*command);
  });
}

}  // namespace capella::cli
