#include "cli/generator_options.h"

#include "cli/output.h"

namespace capella::cli {

void add_generator_inputs(Command& command, GeneratorInputs& inputs) {
  command.add_option("DATASET", inputs.dataset, "Karpathy's dataset.json: images with splits and captions")
      ->required();
  command
      .add_option(
          "FEATURES", inputs.features,
          "Feature vector of each image, in the order of DATASET: rows of an .npy or columns of a .mat file")
      ->required();
  command.add_option("--variable", inputs.variable,
                     "Variable of the .mat file; default: feats, or the only one");
}

void add_generator_run(Command& command, GeneratorRun& run) {
  command.add_option("MODEL", run.model, "Model written by `capella pregen train`")->required();
  add_generator_inputs(command, run.inputs);
  command.add_option("--split", run.split, "Split of the images")->show_default();
  add_device(command, run.device);
}

void take_common(const CommonOptions& common, GeneratorRun& run) {
  run.output = common.output;
  run.threads = common.threads;
  run.progress = progress_bar(common);
  check_outputs(std::vector{run.output}, std::vector{run.model, run.inputs.dataset, run.inputs.features});
}

}  // namespace capella::cli
