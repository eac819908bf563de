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
      throw UsageError("give captions and pictures: --world DIR, or DATASET with --images DIR");
    return;
  }
  if (!options.dataset.empty() || !options.images.empty())
    throw UsageError("--world DIR has captions and pictures; leave DATASET and --images out");
  options.dataset = command.world + "/dataset.json";
  options.images = command.world + "/images";
}

void run(TrainClipCommand& command) {
  const report::Format format = report::format_by_name(command.common.format);
  take_world(command);
  ClipTraining& options = command.options;
  options.output = folder_name(command.common.output);
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& epoch) { notice(command.common, epoch); };
  const ClipTrained trained = InterruptNotice(options.output + ".checkpoint", "--restart").during([&] {
    return train_clip(options);
  });
  notice(command.common, fmt::format("{}: trained in {:.1f} s", options.output, trained.seconds));
  emit_beside_file(command.common, report::format_clip_training(trained, format));
}

constexpr const char* kNnFooter =
    R"(The folder has the layout of Hugging Face's CLIPModel, with a vocabulary learnt from the captions: it can be
given to every metric that wants a CLIP (--set clip-s.model=DIR). After every epoch the first captions and the pictures of the
split `val` look for each other. Beside DIR lies DIR.checkpoint meanwhile: a run that was killed is continued by the same command.
Networks need the torch plug-in; `capella doctor` tells whether it is there.

Examples:
  capella world --images 2000 -o world
  capella nn train-clip --world world -o world-clip
  capella score world/references.json world/systems/*.json --images world/images -m clip-s --set clip-s.model=world-clip)";

constexpr const char* kNetworks =
    R"(Where no published model fits, as on a generated world, whose pictures look like no photograph, a small one of one's
own does. A sentence encoder learns from captions of which it is known which are about the same image, and from
ratings; people's ratings also give its cosines their scale (docs/nn.md). Networks that learn from ratings how to judge are under `capella deneb`.

Examples:
  capella nn train-clip --world world -o world-clip                      on what `capella world` made
  capella nn train-clip dataset.json --images val2014 -o my-clip         on captions and pictures of your own
  capella nn train-clip --world world --device cuda --width 256 -o clip  a larger one, on a GPU
  capella score refs.json mine.json --images val2014 -m clip-s --set clip-s.model=my-clip
  capella nn train-adapter captions_train2014.json -o my-minilm          on captions alone
  capella score refs.json mine.json -m sentence-cosine --set sentence-cosine.model=my-minilm
  capella nn calibrate my-minilm composite.jsonl --layout composite      people's scale for it
  capella score refs.json mine.json -m capella-s --set capella-s.model=my-minilm)";

// The network's size, and how it learns.
void add_network(Command& app, ClipTraining& options) {
  app.add_option("--size", options.image_size, "Pixels on a side that the network sees")
      ->between(16, 512)
      ->show_default();
  app.add_option("--patch", options.patch, "Pixels on a side of a patch")->between(1, 128)->show_default();
  app.add_option("--width", options.width,
                 "Of both towers and of the vectors that are compared, a multiple of 16")
      ->between(16, 4096)
      ->show_default();
  app.add_option("--layers", options.layers, "Of each tower")->between(1, 64)->show_default();
  app.add_option("--heads", options.heads, "Of attention in each layer")->between(1, 64)->show_default();
  app.add_option("--epochs", options.epochs, "Times that every caption is learnt from")
      ->between(0, 100'000)
      ->show_default();
  app.add_option("--batch", options.batch, "Pairs that are told apart from each other")
      ->between(2, 65'536)
      ->show_default();
  app.add_option("--rate", options.rate, "The greatest step of the optimiser")
      ->check(above_zero)
      ->show_default();
  app.add_option("--merges", options.most_merges, "Pieces of words that the vocabulary learns at most")
      ->between(0, 100'000)
      ->show_default();
}

void add_train_clip(Command& nn) {
  const auto command = std::make_shared<TrainClipCommand>();
  ClipTraining& options = command->options;
  Command* app = nn.add_subcommand("train-clip", "Train a small CLIP on pictures and their captions");
  app->add_option("DATASET", options.dataset, "Captions with splits: Karpathy's dataset.json");
  app->add_option("--images", options.images,
                  "A folder of pictures named by ids, or a file of ids and paths");
  app->add_option("--world", command->world, "A folder that `capella world` made, instead of the two");
  add_network(*app, options);
  add_device(*app, options.device);
  app->add_flag("--restart", options.restart, "Begin anew although there is a checkpoint");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("The model's folder, which must not be there")->required();
  app->footer(kNnFooter);
  app->callback([command] { run(*command); });
}

}  // namespace

void add_nn(Command& program) {
  Command* app =
      program.add_subcommand("nn", "Train networks of one's own: train-clip, train-adapter, calibrate");
  app->require_subcommand();
  add_train_clip(*app);
  add_nn_train_adapter(*app);
  add_nn_calibrate(*app);
  app->footer(kNetworks);
}

}  // namespace capella::cli
