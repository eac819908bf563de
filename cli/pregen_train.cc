// capella pregen train
#include <fmt/format.h>

#include "capella/pregen.h"

#include "cli/generator_options.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pregen.h"
#include "report/generator_report.h"

namespace capella::cli {
namespace {

struct PregenTrainCommand {
  CommonOptions common;
  GeneratorTraining options;
};

void run(PregenTrainCommand& command) {
  const report::Format format = summary_format(command.common);
  GeneratorTraining& options = command.options;
  options.output = command.common.output;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& epoch) { notice(command.common, epoch); };
  check_outputs(std::vector{options.output, options.output + ".checkpoint"},
                std::vector{options.inputs.dataset, options.inputs.features});
  const GeneratorTrained trained = InterruptNotice::of_training(options.output, options.restart).during([&] {
    return train_generator(options);
  });
  notice(command.common, fmt::format("{}: trained in {:.1f} s", options.output, trained.seconds));
  emit_beside_file(command.common, format, report::format_generator(trained, format));
}

constexpr const char* kPregenTrainFooter =
    R"(After every epoch, perplexity is measured on the first caption of each image of the split `val`. Training stops when it
rises, and the weights of the epoch before are kept. During training, MODEL.checkpoint is next to MODEL: run the same
command again to resume. Needs the torch plug-in; `capella doctor` says whether it is installed.

Examples:
  capella pregen train dataset.json vgg_feats.mat -a merge \
      -o merge_1.safetensors
  capella pregen train dataset.json vgg_feats.mat -a init --seed 2 \
      --device cuda -o init_2.safetensors
  capella world --images 1000 -o world
  capella pregen train world/dataset.json world/image_features.npy -a par \
      --size 64 --epochs 5 -o par.safetensors)";

}  // namespace

void add_pregen_train(Command& pregen) {
  const auto command = std::make_shared<PregenTrainCommand>();
  GeneratorTraining& options = command->options;
  Command* app = pregen.add_subcommand("train", "Train a caption generator on image features");
  add_generator_inputs(*app, options.inputs);
  app->add_option("-a,--architecture", options.architecture,
                  "Where the image enters the network: init, pre, par or merge")
      ->show_default();
  app->add_option("--size", options.size,
                  "Size of embeddings and state; 0: the authors' (512; par 256, merge 128)")
      ->check(not_negative)
      ->show_default();
  app->add_option("--batch", options.batch,
                  "Batch size; 0: the authors' (init and merge 128, pre 32, par 64)")
      ->check(not_negative)
      ->show_default();
  app->add_option("--epochs", options.most_epochs, "Maximum number of epochs; 0: leave the network untrained")
      ->check(not_negative)
      ->show_default();
  app->add_option("--least-count", options.least_count, "Minimum count of a word; rarer words are unknown")
      ->check(not_negative)
      ->show_default();
  app->add_option("--share", options.share,
                  "Share of the training images to use, above 0 to 1; the vocabulary is that of all images")
      ->show_default();
  add_device(*app, options.device);
  app->add_flag("--restart", options.restart, "Start again even if there is a checkpoint");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("Model file, NAME.safetensors")->required();
  app->footer(kPregenTrainFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
