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
  const report::Format format = report::format_by_name(command.common.format);
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
  const AdapterTrained trained = InterruptNotice(options.output + ".checkpoint", "--restart").during([&] {
    return train_adapter(options);
  });
  for (const std::string& warning : trained.warnings) warn(command.common, warning);
  notice(command.common, fmt::format("{}: trained in {:.1f} s", options.output, trained.seconds));
  if (!command.curve.empty()) write_file_atomically(command.curve, report::draw_adapter_training(trained));
  emit_beside_file(command.common, report::format_adapter_training(trained, format));
}

constexpr const char* kNnTrainAdapterFooter =
    R"(CAPTIONS are files with three captions or more for each image, in any form that `capella score` reads as references.
In every step one caption of each image looks for its image among those of the others, by its cosine with the centroid of two
more captions. With --rated FILE, cosines of rated captions with their references are to rise with people's ratings, too.
What is learnt are low-rank updates of all linear maps of the base (LoRA). DIR has the layout of Hugging Face's PEFT and can be
given wherever a sentence encoder is wanted. Images of tests are kept out by --held-out. Beside DIR lies DIR.checkpoint meanwhile:
a run that was killed is continued by the same command. Networks need the torch plug-in; `capella doctor` tells whether it is there.

Examples:
  capella nn train-adapter captions_train2014.json -o my-minilm
  capella nn train-adapter val2014_refs.json Flickr8k.token.txt --held-out flickr8k-expert:Flickr8k \
      --held-out flickr8k-cf:Flickr8k --held-out nebula:nebula_test.json --held-out composite:composite.jsonl \
      --held-out pascal50s:pascal_50s.json --valid composite.jsonl --valid-layout composite --without flickr8k \
      --curve curve.svg --device cuda -o my-minilm
  capella nn train-adapter captions_train2014.json --rated rated.json --rated-layout nebula -o my-minilm
  capella score refs.json mine.json -m sentence-cosine --set sentence-cosine.model=my-minilm)";

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
  app.add_option("CAPTIONS", options.captions, "Files with several captions for each image")->required();
  app.add_option("--split", options.split, "The part of a Karpathy dataset.json, e.g. train");
  app.add_option("--base", options.base, "The folder of a BERT or RoBERTa, or minilm, a data package")
      ->show_default();
  app.add_option("--pooling", options.pooling,
                 "How tokens become one vector: mean or first; default: as the base's folder says");
  app.add_option_function<std::vector<std::string>>(
         "--held-out",
         [&options](const std::vector<std::string>& words) {
           options.held_out.clear();
           for (const std::string& word : words) options.held_out.push_back(held_out(word));
         },
         "LAYOUT:PATH of a benchmark, or a file of captions, that is going to be tested on: images whose "
         "captions or names stand there are left out; may be repeated")
      ->repeated();
  app.add_option("--valid", options.validation,
                 "Rated captions: agreement with them is told, but nothing is chosen by it");
  app.add_option("--valid-layout", options.validation_layout,
                 "Theirs: nebula, polaris, composite, flickr8k-expert or flickr8k-cf");
  app.add_option("--without", options.without,
                 "Leave out a part of what is validated on, e.g. flickr8k of composite")
      ->repeated();
}

void add_rated(Command& app, AdapterTraining& options) {
  Option* rated =
      app.add_option("--rated", options.rated,
                     "Rated captions to learn from, too: their scores are to rise with the ratings");
  app.add_option("--rated-layout", options.rated_layout,
                 "Theirs: nebula, polaris, composite, flickr8k-expert or flickr8k-cf");
  app.add_option("--rated-batch", options.rated_batch, "Rated captions in a step")
      ->needs(rated)
      ->check(not_negative)
      ->show_default();
  app.add_option("--rated-weight", options.rated_weight, "What their loss counts beside that of images")
      ->needs(rated)
      ->check(above_zero)
      ->show_default();
}

void add_recipe(Command& app, AdapterTraining& options) {
  app.add_option("--rank", options.rank, "Of the updates")->check(not_negative)->show_default();
  app.add_option("--alpha", options.alpha, "Updates are scaled by alpha / rank; 0: by 1")
      ->check(zero_or_above)
      ->show_default();
  app.add_option("--references", options.references,
                 "Captions of an image that another one of it is compared with")
      ->check(not_negative)
      ->show_default();
  app.add_option("--batch", options.batch, "Images that are told apart from each other in a step")
      ->check(not_negative)
      ->show_default();
  app.add_option("--steps", options.steps, "All of them")->check(not_negative)->show_default();
  app.add_option("--warm-up", options.warm_up,
                 "Steps in which the rate rises; default: 20, or all if there are fewer")
      ->check(not_negative);
  app.add_option("--rate", options.rate, "The greatest step of the optimiser; it falls to 0")
      ->check(above_zero)
      ->show_default();
  app.add_option("--temperature", options.temperature, "What scores are divided by before they are compared")
      ->check(above_zero)
      ->show_default();
  app.add_option("--chunk", options.chunk,
                 "Tokens whose inner values are kept at a time; a batch with more is encoded twice. 0: 4096 "
                 "on the CPU (1 GB), 131072 on a GPU")
      ->check(not_negative)
      ->show_default();
  app.add_option("--strength", options.strength,
                 "Add what was learnt so many times, above 0 and at most 1: less is nearer to the base")
      ->check(above_zero)
      ->show_default();
  app.add_flag("--bfloat16", options.bfloat16,
               "Let the encoder compute with 16 bits: 1.7 times as fast on a CPU with AVX512-BF16; what "
               "is learnt keeps 32, and agreement is measured with 32");
  app.add_flag("--full", options.full, "Write numbers with 32 bits instead of 16");
}

void add_loop(Command& app, AdapterTraining& options) {
  app.add_option("--tell-every", options.tell_every, "Tell the loss after so many steps")
      ->check(not_negative)
      ->show_default();
  app.add_option("--valid-every", options.validate_every,
                 "Measure agreement after so many steps; 0: before the first and after the last alone")
      ->check(not_negative)
      ->show_default();
  app.add_option("--checkpoint-every", options.checkpoint_every,
                 "Write a checkpoint after so many steps; 0: never")
      ->check(not_negative)
      ->show_default();
  app.add_flag("--restart", options.restart, "Begin anew although there is a checkpoint");
}

}  // namespace

void add_nn_train_adapter(Command& nn) {
  const auto command = std::make_shared<TrainAdapterCommand>();
  Command* app =
      nn.add_subcommand("train-adapter", "Train an adapter of a sentence encoder on captions by image");
  add_data(*app, command->options);
  add_rated(*app, command->options);
  add_recipe(*app, command->options);
  add_loop(*app, command->options);
  add_device(*app, command->options.device);
  app->add_option("--curve", command->curve, "Draw loss and agreement by step into this SVG file");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("The adapter's folder, which must not be there")->required();
  app->footer(kNnTrainAdapterFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
