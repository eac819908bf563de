// capella nn
#include "cli/nn.h"

#include <fmt/format.h>

#include "capella/clip_training.h"
#include "capella/error.h"

#include "cli/commands.h"
#include "cli/generator_options.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/clip_report.h"

namespace capella::cli {
namespace {

struct TrainClipCommand {
  CommonOptions common;
  ClipTraining options;
  std::string world;
};

// A world has everything in places that are known.
void take_world(TrainClipCommand& command) {
  ClipTraining& options = command.options;
  if (command.world.empty()) {
    if (options.dataset.empty() || options.images.empty())
      throw UsageError("expected captions and images: --world DIR, or DATASET with --images DIR");
    return;
  }
  if (!options.dataset.empty() || !options.images.empty())
    throw UsageError("--world DIR has captions and images; leave DATASET and --images out");
  options.dataset = command.world + "/dataset.json";
  options.images = command.world + "/images";
}

void run(TrainClipCommand& command) {
  const report::Format format = summary_format(command.common);
  take_world(command);
  ClipTraining& options = command.options;
  options.output = folder_name(command.common.output);
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& epoch) { notice(command.common, epoch); };
  const ClipTrained trained = InterruptNotice::of_training(options.output, options.restart).during([&] {
    return train_clip(options);
  });
  notice(command.common, fmt::format("{}: trained in {:.1f} s", options.output, trained.seconds));
  emit_beside_file(command.common, format, report::format_clip_training(trained, format));
}

constexpr const char* kNnFooter =
    R"(Writes a folder in the layout of Hugging Face's CLIPModel, with a vocabulary learned from the captions, for every metric
that takes a CLIP model (--set clip-s.model=DIR). After every epoch, retrieval is measured on the images of the split
`val` and their first captions. During training, DIR.checkpoint is next to DIR: run the same command again to resume.
Needs the torch plug-in; `capella doctor` says whether it is installed.

Examples:
  capella world --images 2000 -o world
  capella nn train-clip --world world -o world-clip
  capella nn train-clip dataset.json --images val2014 -o my-clip
  capella score world/references.json world/systems/*.json \
      --images world/images -m clip-s --set clip-s.model=world-clip)";

constexpr const char* kNetworks =
    R"(Where no published model fits, as on a generated world, train a small CLIP. A sentence encoder can be adapted to captions
of the same images and to human ratings; ratings also calibrate its cosine similarities (docs/nn.md). Metrics trained on
ratings are under `capella deneb`.

Examples:
  capella nn train-clip --world world -o world-clip
  capella nn train-clip --world world --device cuda --width 256 -o clip
  capella score refs.json mine.json --images val2014 -m clip-s \
      --set clip-s.model=my-clip
  capella nn train-adapter captions_train2014.json -o my-minilm
  capella nn calibrate my-minilm composite.jsonl --layout composite
  capella score refs.json mine.json -m capella-s --set capella-s.model=my-minilm)";

// The network's size, and how it learns.
void add_network(Command& app, ClipTraining& options) {
  app.add_option("--size", options.image_size, "Width and height of the input in pixels")
      ->between(16, 512)
      ->show_default();
  app.add_option("--patch", options.patch, "Width and height of a patch in pixels")
      ->between(1, 128)
      ->show_default();
  app.add_option("--width", options.width, "Width of both towers and of the embeddings, a multiple of 16")
      ->between(16, 4096)
      ->show_default();
  app.add_option("--layers", options.layers, "Number of layers of each tower")
      ->between(1, 64)
      ->show_default();
  app.add_option("--heads", options.heads, "Number of attention heads")->between(1, 64)->show_default();
  app.add_option("--epochs", options.epochs, "Number of epochs")->between(0, 100'000)->show_default();
  app.add_option("--batch", options.batch, "Batch size, in pairs")->between(2, 65'536)->show_default();
  app.add_option("--rate", options.rate, "Peak learning rate")->check(above_zero)->show_default();
  app.add_option("--merges", options.most_merges, "Maximum number of subwords that the vocabulary learns")
      ->between(0, 100'000)
      ->show_default();
}

void add_train_clip(Command& nn) {
  const auto command = std::make_shared<TrainClipCommand>();
  ClipTraining& options = command->options;
  Command* app = nn.add_subcommand("train-clip", "Train a small CLIP on images and their captions");
  app->add_option("DATASET", options.dataset, "Captions with splits: Karpathy's dataset.json");
  app->add_option("--images", options.images,
                  "Images: a folder with files named by id, or a file of ids and paths");
  app->add_option("--world", command->world,
                  "Folder made by `capella world`, to use instead of DATASET and --images");
  add_network(*app, options);
  add_device(*app, options.device);
  app->add_flag("--restart", options.restart, "Start again even if there is a checkpoint");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("Folder for the model, which must not exist")->required();
  app->footer(kNnFooter);
  app->callback([command] { run(*command); });
}

}  // namespace

void add_nn(Command& program) {
  Command* app = program.add_subcommand("nn", "Train your own CLIP or sentence encoder, calibrate it");
  app->require_subcommand();
  add_train_clip(*app);
  add_nn_train_adapter(*app);
  add_nn_calibrate(*app);
  app->footer(kNetworks);
}

}  // namespace capella::cli
