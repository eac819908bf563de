// capella nn calibrate
#include <fmt/format.h>

#include "capella/adapter_calibration.h"
#include "capella/error.h"

#include "base/file.h"
#include "cli/nn.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/calibration_report.h"

namespace capella::cli {
namespace {

struct CalibrateCommand {
  CommonOptions common;
  AdapterCalibration options;
  std::string plot;
};

void run(CalibrateCommand& command) {
  const report::Format format = result_format(command.common);
  AdapterCalibration& options = command.options;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  if (!command.plot.empty() && !command.plot.ends_with(".svg"))
    throw UsageError(fmt::format("--plot: found '{}', expected a file that ends in .svg", command.plot));
  check_outputs(std::vector{command.common.output, command.plot}, std::vector{options.ratings});
  const AdapterCalibrated calibrated = calibrate_adapter(options);
  for (const std::string& warning : calibrated.warnings) warn(command.common, warning);
  notice(command.common, fmt::format("{}: written", calibrated.file));
  if (!command.plot.empty()) write_file_atomically(command.plot, report::draw_reliability(calibrated));
  emit(command.common, format, report::format_calibration(calibrated, format));
}

constexpr const char* kNnCalibrateFooter =
    R"(Fits the calibration that maps Capella-S to the human rating scale, from 0 to 1, on rated captions, and writes it into
the folder of the adapter (calibration.json). It is strictly increasing, so rankings do not change. The table and the
plot show how accurate it is on images that it was not fitted on (each half predicts the other).

Examples:
  capella nn calibrate my-minilm composite.jsonl --layout composite \
      --without flickr8k --plot reliability.svg
  capella score refs.json mine.json -m capella-s --set capella-s.model=my-minilm)";

}  // namespace

void add_nn_calibrate(Command& nn) {
  const auto command = std::make_shared<CalibrateCommand>();
  AdapterCalibration& options = command->options;
  Command* app = nn.add_subcommand("calibrate", "Calibrate an adapter's scores to human ratings");
  app->add_option(
         "ADAPTER", options.adapter,
         "Folder of an adapter (train-adapter, PEFT) or sentence encoder, where the calibration is written")
      ->required();
  app->add_option("RATED", options.ratings, "Rated captions")->required();
  app->add_option("--layout", options.layout,
                  "Layout of RATED: nebula, polaris, composite, flickr8k-expert or flickr8k-cf")
      ->required();
  app->add_option("--without", options.without,
                  "Leave out one of its data sets, e.g. flickr8k of composite; may be repeated")
      ->repeated();
  app->add_option("--plot", command->plot, "Draw a reliability plot into this SVG file");
  app->add_flag("--replace", options.replace, "Overwrite an existing calibration");
  add_common(*app, command->common);
  app->footer(kNnCalibrateFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
