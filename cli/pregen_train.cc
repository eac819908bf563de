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
  const report::Format format = report::format_by_name(command.common.format);
  GeneratorTraining& options = command.options;
  options.output = command.common.output;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& epoch) { notice(command.common, epoch); };
  check_outputs(std::vector{options.output, options.output + ".checkpoint"},
                std::vector{options.inputs.dataset, options.inputs.features});
  const GeneratorTrained trained = InterruptNotice(options.output + ".checkpoint", "--restart").during([&] {
    return train_generator(options);
  });
  notice(command.common, fmt::format("{}: trained in {:.1f} s", options.output, trained.seconds));
  emit_beside_file(command.common, report::format_generator(trained, format));
}

constexpr const char* kPregenTrainFooter =
    R"(After every epoch the perplexity of the first captions of the images of the split `val` is measured. Training stops
when it rises, and the weights before are kept. Beside MODEL lies MODEL.checkpoint meanwhile: a run that was
killed is continued by the same command. Networks need the torch plug-in; `capella doctor` tells whether it is
there.

Examples:
  capella pregen train dataset.json vgg_feats.mat -a merge -o merge_1.safetensors
  capella pregen train dataset.json vgg_feats.mat -a init --seed 2 --device cuda -o init_2.safetensors
  capella world --images 1000 -o world
  capella pregen train world/dataset.json world/image_features.npy -a par --size 64 --epochs 5 -o par.safetensors)";

}  // namespace

void add_pregen_train(Command& pregen) {
  const auto command = std::make_shared<PregenTrainCommand>();
  GeneratorTraining& options = command->options;
  Command* app = pregen.add_subcommand("train", "Train a caption generator from captions and image features");
  add_generator_inputs(*app, options.inputs);
  app->add_option("-a,--architecture", options.architecture,
                  "Where the image enters: init, pre, par or merge")
      ->show_default();
  app->add_option("--size", options.size,
                  "Of embeddings and state; 0: the authors' (512, par 256, merge 128)")
      ->check(not_negative)
      ->show_default();
  app->add_option("--batch", options.batch,
                  "Captions in a batch; 0: the authors' (init and merge 128, pre 32, par 64)")
      ->check(not_negative)
      ->show_default();
  app->add_option("--epochs", options.most_epochs, "At most so many; 0: the network stays untrained")
      ->check(not_negative)
      ->show_default();
  app->add_option("--least-count", options.least_count, "Words that stand less often are unknown")
      ->check(not_negative)
      ->show_default();
  app->add_option("--share", options.share,
                  "Of the training images that is learnt from, above 0 to 1; words are those of all")
      ->show_default();
  add_device(*app, options.device);
  app->add_flag("--restart", options.restart, "Begin anew although there is a checkpoint");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("The model's file, NAME.safetensors")->required();
  app->footer(kPregenTrainFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
