// capella pregen study
#include "capella/pregen_study.h"

#include <filesystem>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pregen.h"
#include "report/pregen_pictures.h"
#include "report/pregen_study_report.h"
#include "report/result_report.h"

namespace capella::cli {
namespace {

constexpr std::size_t kShownMetrics = 10;  // in bars, beside perplexity

struct StudyCommand {
  CommonOptions common;
  PregenStudyOptions options;
};

void write_reports(const PregenStudyResult& result, const std::string& folder) {
  const std::vector<NamedContent> reports = {
      {"report.md", report::format_pregen_study(result, report::Format::markdown)},
      {"report.json", report::format_pregen_study(result, report::Format::json)},
      {"times.md", report::format_pregen_times(result, report::Format::markdown)},
      {"times.csv", report::format_pregen_times(result, report::Format::csv)}};
  write_into_folder(folder, reports);
  write_into_folder(folder + "/pictures", report::draw_correlations(result.correlations, kShownMetrics));
}

bool is_there(const std::string& folder) {
  std::error_code error;
  return std::filesystem::exists(folder, error);
}

void run(StudyCommand& command, bool images_given) {
  const report::Format format = summary_format(command.common);
  PregenStudyOptions& options = command.options;
  options.folder = command.common.output;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& what) { notice(command.common, what); };
  if (images_given && is_there(options.world))
    notice(command.common, fmt::format("{} is there already: --images is not looked at", options.world));
  const PregenStudyResult result =
      InterruptNotice(options.folder).during([&] { return study_pregen(options); });
  write_reports(result, options.folder);
  for (const std::string& warning : result.warnings) warn(command.common, warning);
  if (!command.common.quiet) say(report::format_pregen_times(result, report::Format::table));
  emit(on_screen(command.common), format, report::format_pregen_study(result, format));
}

constexpr const char* kPregenStudyFooter =
    R"(Trains generators of all four architectures on a generated world, each on several amounts of training images, computes
the probabilities of the test captions, generates and scores captions, and finds which pre-gen metric predicts the
scores. Everything is kept in the folder of -o: an interrupted study resumes where it stopped. The world is made if its
folder does not exist. Times are reported on standard error and in times.md.

Example:
  capella pregen study --world world -o study)";

}  // namespace

void add_pregen_study(Command& pregen) {
  const auto command = std::make_shared<StudyCommand>();
  PregenStudyOptions& options = command->options;
  Command* app = pregen.add_subcommand("study", "Run the whole protocol on a generated world");
  app->add_option("--world", options.world, "Folder of a generated world, made if it does not exist")
      ->required();
  app->add_option("--images", options.images, "Number of images, if the world is made")
      ->check(not_negative)
      ->show_default();
  app->add_option("--size", options.size, "Size of embeddings and state")
      ->check(not_negative)
      ->show_default();
  app->add_option("--shares", options.shares,
                  "Shares of the training images; one run of each architecture per share")
      ->comma_separated()
      ->check(share)
      ->show_default();
  app->add_option("--epochs", options.most_epochs, "Maximum number of epochs")
      ->check(not_negative)
      ->show_default();
  app->add_option("--device", options.device, "Where neural networks run")
      ->one_of({"cpu", "cuda"})
      ->show_default();
  add_resamples(*app, options.resamples, "Number of bootstrap resamples of generators");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("Folder for models, captions, data and reports")->required();
  app->footer(kPregenStudyFooter);
  app->callback([command, app] { run(*command, app->count("--images") > 0); });
}

}  // namespace capella::cli
