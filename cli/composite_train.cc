// capella composite train
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/composite.h"
#include "capella/error.h"

#include "base/file.h"
#include "cli/composite.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/composite_report.h"

namespace capella::cli {
namespace {

struct TrainCommand {
  CommonOptions common;
  CompositeTraining options;
  std::string plot;
};

void run(const Command& app, TrainCommand& command) {
  const report::Format format = summary_format(command.common);
  CompositeTraining& options = command.options;
  if (!options.preset.empty() && options.inputs.empty())
    refuse_options(app, {"--hidden"}, "a preset has its layers; give --hidden with --scores only");
  if (app.count("--name") > 0 && options.name.empty())
    throw UsageError("--name: is empty, expected one letter or more");
  options.output = command.common.output;
  if (options.hidden == std::vector<std::size_t>{0}) options.hidden.clear();
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  std::vector<std::string> outputs = composite_model_paths(options);
  outputs.push_back(command.plot);
  check_outputs(outputs, std::vector{options.features, options.validation});
  const CompositeTrained trained = InterruptNotice().during([&] { return train_composite(options); });
  for (const std::string& warning : trained.warnings) warn(command.common, warning);
  if (!command.plot.empty()) write_file_atomically(command.plot, report::draw_training(trained));
  emit_beside_file(command.common, format, report::format_training(trained, format));
}

// "eval-ms, eval-cs ..."
std::string all_preset_names() {
  std::vector<std::string> names;
  for (const CompositePreset& preset : composite_presets()) names.push_back(preset.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

constexpr const char* kCompositeTrainFooter =
    R"(Trains several networks from different seeds and keeps the one that agrees best with the ratings of --validate. A tenth
of the images is held out, and the accuracy on them is reported.

Examples:
  capella composite train train.jsonl --validate ratings.jsonl \
      --preset eval-mcs -o mine.safetensors
  capella composite train train.jsonl --validate ratings.jsonl \
      --scores METEOR,WMD,BLEU-4 -o three.safetensors
  capella composite train train.jsonl --validate ratings.jsonl \
      --preset nneval --seeds 10 --standardize --plot curves.svg \
      -o nn.safetensors)";

}  // namespace

void add_composite_train(Command& composite) {
  const auto command = std::make_shared<TrainCommand>();
  CompositeTraining& options = command->options;
  Command* app = composite.add_subcommand("train", "Train a composite metric on a features file");
  app->add_option("FEATURES", options.features,
                  "Features of human and machine captions (capella composite features)")
      ->required();
  app->add_option("--validate", options.validation, "Features of rated captions, the validation set")
      ->required();
  app->add_option("--preset", options.preset,
                  fmt::format("Scores and layers of a preset: {}", all_preset_names()));
  app->add_option("--scores", options.inputs, "Scores to use instead of a preset's, e.g. METEOR,SPICE")
      ->comma_separated();
  app->add_option("--hidden", options.hidden, "Sizes of the hidden layers with --scores; 0: no hidden layer")
      ->comma_separated()
      ->check(not_negative)
      ->show_default();
  app->add_option("--name", options.name, "Name of the score; default: the name of the file");
  app->add_option("--seeds", options.seeds, "Number of networks")->check(not_negative)->show_default();
  app->add_flag("--keep-all", options.keep_all, "Also keep the model of each seed, as NAME-SEED.safetensors");
  app->add_option("--held-out", options.held_out, "Share of images held out")->show_default();
  app->add_flag("--standardize", options.standardize,
                "Standardize scores to mean 0 and standard deviation 1");
  app->add_option("--rate", options.rate, "Learning rate (Adam)")->show_default();
  app->add_option("--l2", options.l2, "L2 regularization")->show_default();
  app->add_option("--batch", options.batch, "Batch size; 0: a twentieth of the captions")
      ->check(not_negative)
      ->show_default();
  app->add_option("--epochs", options.most_epochs, "Maximum number of epochs")
      ->check(not_negative)
      ->show_default();
  app->add_option("--patience", options.stop_after, "Epochs without improvement before training stops")
      ->check(not_negative)
      ->show_default();
  app->add_option("--plot", command->plot, "Plot agreement by epoch into this SVG file");
  add_common(*app, command->common);
  app->get_option("--output")->description("Model file, NAME.safetensors")->required();
  app->footer(kCompositeTrainFooter);
  app->callback([command, app] { run(*app, *command); });
}

}  // namespace capella::cli
