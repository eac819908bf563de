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
    R"(Capella-S tells a caption's score as what people would say, from 0 to 1. The curve that it needs is learnt here from rated
captions and written into the adapter's folder (calibration.json); it rises strictly, so no order of captions changes. The table
and the plot show how true it is of images that it was not learnt from: each half is predicted by a curve of the other.

Examples:
  capella nn calibrate my-minilm composite.jsonl --layout composite --without flickr8k --plot reliability.svg
  capella score refs.json mine.json -m capella-s --set capella-s.model=my-minilm)";

}  // namespace

void add_nn_calibrate(Command& nn) {
  const auto command = std::make_shared<CalibrateCommand>();
  AdapterCalibration& options = command->options;
  Command* app = nn.add_subcommand("calibrate", "Learn what people would say from an adapter's cosines");
  app->add_option("ADAPTER", options.adapter,
                  "The folder of an adapter (train-adapter, PEFT) or of a sentence encoder; the curve is "
                  "written into it")
      ->required();
  app->add_option("RATED", options.ratings, "Rated captions")->required();
  app->add_option("--layout", options.layout,
                  "Theirs: nebula, polaris, composite, flickr8k-expert or flickr8k-cf")
      ->required();
  app->add_option("--without", options.without, "Leave out a part of them, e.g. flickr8k of composite")
      ->repeated();
  app->add_option("--plot", command->plot, "Draw the reliability plot into this SVG file");
  app->add_flag("--replace", options.replace, "Although there is a curve already");
  add_common(*app, command->common);
  app->footer(kNnCalibrateFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
