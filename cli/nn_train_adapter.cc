// capella nn train-adapter
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "capella/adapter_training.h"
#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "cli/interrupt.h"
#include "cli/nn.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/benchmark.h"
#include "report/adapter_report.h"

namespace capella::cli {
namespace {

struct TrainAdapterCommand {
  CommonOptions common;
  AdapterTraining options;
  std::string curve;
};

void run(TrainAdapterCommand& command) {
  const report::Format format = summary_format(command.common);
  AdapterTraining& options = command.options;
  options.output = folder_name(command.common.output);
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& steps) { notice(command.common, steps); };
  if (!command.curve.empty() && !command.curve.ends_with(".svg"))
    throw UsageError(fmt::format("--curve: found '{}', expected a file that ends in .svg", command.curve));
  check_adapter_training(options);
  std::vector<std::string> inputs = options.captions;
  inputs.push_back(options.rated);
  inputs.push_back(options.validation);
  for (const AdapterHeldOut& one : options.held_out) inputs.push_back(one.path);
  check_outputs(std::vector{options.output, options.output + ".checkpoint", command.curve}, inputs);
  const AdapterTrained trained = InterruptNotice::of_training(options.output, options.restart).during([&] {
    return train_adapter(options);
  });
  for (const std::string& warning : trained.warnings) warn(command.common, warning);
  notice(command.common, fmt::format("{}: trained in {:.1f} s", options.output, trained.seconds));
  if (!command.curve.empty()) write_file_atomically(command.curve, report::draw_adapter_training(trained));
  emit_beside_file(command.common, format, report::format_adapter_training(trained, format));
}

constexpr const char* kNnTrainAdapterFooter =
    R"(CAPTIONS has at least three captions per image, in any format that `capella score` reads as references. In every step,
one caption of each image has to find its image by cosine similarity with the centroid of two others. With --rated,
cosine similarities of rated captions with their references also learn to follow the ratings. Trains low-rank updates of
all linear layers (LoRA) and writes them to DIR in the layout of Hugging Face's PEFT, which works wherever a sentence
encoder does. --held-out excludes the images of test sets. During training, DIR.checkpoint is next to DIR: run the same
command again to resume. Needs the torch plug-in; `capella doctor` says whether it is installed.

Examples:
  capella nn train-adapter captions_train2014.json -o my-minilm
  capella nn train-adapter val2014_refs.json Flickr8k.token.txt \
      --held-out flickr8k-expert:Flickr8k --held-out nebula:nebula_test.json \
      --valid composite.jsonl --valid-layout composite --without flickr8k \
      --curve curve.svg --device cuda -o my-minilm
  capella nn train-adapter captions_train2014.json --rated rated.json \
      --rated-layout nebula -o my-minilm
  capella score refs.json mine.json -m sentence-cosine \
      --set sentence-cosine.model=my-minilm)";

// LAYOUT:PATH of a benchmark, or the path of a file with captions.
AdapterHeldOut held_out(const std::string& word) {
  const std::size_t colon = word.find(':');
  std::error_code unknown;
  if (colon == std::string::npos || std::filesystem::exists(word, unknown)) return {"", word};
  const std::string layout = word.substr(0, colon);
  const auto names = io::benchmark_names();
  if (std::ranges::find(names, layout) == names.end() || colon + 1 == word.size())
    throw UsageError(fmt::format("--held-out: found '{}', expected a file of captions or LAYOUT:PATH; {}",
                                 word, unknown_name_message("layout", layout, names)));
  return {layout, word.substr(colon + 1)};
}

void add_data(Command& app, AdapterTraining& options) {
  app.add_option("CAPTIONS", options.captions, "Captions, several for each image")->required();
  app.add_option("--split", options.split, "Split of a Karpathy dataset.json, e.g. train");
  app.add_option("--base", options.base, "Folder of a BERT or RoBERTa, or minilm, the data package")
      ->show_default();
  app.add_option("--pooling", options.pooling,
                 "Pooling of tokens: mean or first; default: as defined in the folder of the base");
  app.add_option_function<std::vector<std::string>>(
         "--held-out",
         [&options](const std::vector<std::string>& words) {
           options.held_out.clear();
           for (const std::string& word : words) options.held_out.push_back(held_out(word));
         },
         "Test set, LAYOUT:PATH of a benchmark or a file of captions: images that share names or captions "
         "with it "
         "are left out; may be repeated")
      ->repeated();
  app.add_option("--valid", options.validation,
                 "Rated captions for validation; agreement is reported, but does not select the model");
  app.add_option("--valid-layout", options.validation_layout,
                 "Layout of --valid: nebula, polaris, composite, flickr8k-expert or flickr8k-cf");
  app.add_option("--without", options.without,
                 "Leave out one of the data sets of --valid, e.g. flickr8k of composite; may be repeated")
      ->repeated();
}

void add_rated(Command& app, AdapterTraining& options) {
  Option* rated = app.add_option("--rated", options.rated,
                                 "Rated captions to train on in addition, so that scores follow ratings");
  app.add_option("--rated-layout", options.rated_layout,
                 "Layout of --rated: nebula, polaris, composite, flickr8k-expert or flickr8k-cf");
  app.add_option("--rated-batch", options.rated_batch, "Number of rated captions in a step")
      ->needs(rated)
      ->check(not_negative)
      ->show_default();
  app.add_option("--rated-weight", options.rated_weight, "Weight of their loss, relative to that of images")
      ->needs(rated)
      ->check(above_zero)
      ->show_default();
}

void add_recipe(Command& app, AdapterTraining& options) {
  app.add_option("--rank", options.rank, "Rank of the updates")->check(not_negative)->show_default();
  app.add_option("--alpha", options.alpha, "Scale of the updates, divided by the rank; 0: a scale of 1")
      ->check(zero_or_above)
      ->show_default();
  app.add_option("--references", options.references, "Number of captions in a centroid")
      ->check(not_negative)
      ->show_default();
  app.add_option("--batch", options.batch, "Batch size, in images")->check(not_negative)->show_default();
  app.add_option("--steps", options.steps, "Number of steps")->check(not_negative)->show_default();
  app.add_option("--warm-up", options.warm_up,
                 "Warm-up steps of the learning rate; default: 20, or all if there are fewer")
      ->check(not_negative);
  app.add_option("--rate", options.rate, "Peak learning rate; it decays to 0")
      ->check(above_zero)
      ->show_default();
  app.add_option("--temperature", options.temperature, "Temperature of the contrastive loss")
      ->check(above_zero)
      ->show_default();
  app.add_option("--chunk", options.chunk,
                 "Maximum number of tokens whose activations are kept; larger batches are encoded twice. 0: "
                 "4096 on the "
                 "CPU (1 GB), 131072 on a GPU")
      ->check(not_negative)
      ->show_default();
  app.add_option("--strength", options.strength,
                 "Factor of the learned update, above 0 to 1; smaller values stay closer to the base")
      ->check(above_zero)
      ->show_default();
  app.add_flag("--bfloat16", options.bfloat16,
               "Run the encoder in bfloat16, 1.7 times as fast on a CPU with AVX512-BF16; parameters and "
               "validation keep "
               "32 bits");
  app.add_flag("--full", options.full, "Write parameters with 32 bits instead of 16");
}

void add_loop(Command& app, AdapterTraining& options) {
  app.add_option("--tell-every", options.tell_every, "Report the loss every N steps")
      ->check(not_negative)
      ->show_default();
  app.add_option("--valid-every", options.validate_every,
                 "Validate every N steps; 0: only before the first and after the last")
      ->check(not_negative)
      ->show_default();
  app.add_option("--checkpoint-every", options.checkpoint_every, "Write a checkpoint every N steps; 0: never")
      ->check(not_negative)
      ->show_default();
  app.add_flag("--restart", options.restart, "Start again even if there is a checkpoint");
}

}  // namespace

void add_nn_train_adapter(Command& nn) {
  const auto command = std::make_shared<TrainAdapterCommand>();
  Command* app = nn.add_subcommand("train-adapter", "Train an adapter (LoRA) of a sentence encoder");
  add_data(*app, command->options);
  add_rated(*app, command->options);
  add_recipe(*app, command->options);
  add_loop(*app, command->options);
  add_device(*app, command->options.device);
  app->add_option("--curve", command->curve, "Plot loss and agreement by step into this SVG file");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("Folder for the adapter, which must not exist")->required();
  app->footer(kNnTrainAdapterFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
