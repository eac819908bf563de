// capella deneb train
#include <fmt/format.h>

#include "capella/deneb.h"
#include "capella/error.h"

#include "base/file.h"
#include "cli/deneb.h"
#include "cli/generator_options.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/deneb_report.h"

namespace capella::cli {
namespace {

struct DenebTrainCommand {
  CommonOptions common;
  DenebTraining options;
  std::string curve;
};

void run(DenebTrainCommand& command) {
  const report::Format format = report::format_by_name(command.common.format);
  DenebTraining& options = command.options;
  options.output = command.common.output;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.tell = [&command](const std::string& epoch) { notice(command.common, epoch); };
  if (!command.curve.empty() && !command.curve.ends_with(".svg"))
    throw UsageError(fmt::format("--curve: found '{}', expected a file that ends in .svg", command.curve));
  check_deneb_training(options);
  std::vector<std::string> inputs = {options.training, options.validation};
  for (const DenebHeldOut& one : options.held_out) inputs.push_back(one.path);
  check_outputs(std::vector{options.output, options.output + ".checkpoint", command.curve}, inputs);
  const DenebTrained trained = InterruptNotice(options.output + ".checkpoint", "--restart").during([&] {
    return train_deneb(options);
  });
  for (const std::string& warning : trained.warnings) warn(command.common, warning);
  notice(command.common, fmt::format("{}: vectors in {:.1f} s, trained in {:.1f} s", options.output,
                                     trained.encoding_seconds, trained.seconds));
  if (!command.curve.empty()) write_file_atomically(command.curve, report::draw_deneb(trained));
  emit_beside_file(command.common, report::format_deneb(trained, format));
}

constexpr const char* kDenebTrainFooter =
    R"(TRAIN and VALID are rated captions: CSV, JSON or JSONL with columns mt, refs, score and imgid (Nebula, Polaris), or
another layout with --layout. After every epoch agreement with the validation rows is measured: Kendall's tau-c of
ratings, or how many pairs are decided as people did (--valid-layout pascal50s or foil). Training ends when it
has not risen --patience times in a row, and the best epoch's weights are kept. Beside MODEL lies MODEL.checkpoint
meanwhile: a run that was killed is continued by the same command. Networks are trained by the torch plug-in;
`capella doctor` tells whether it is there.

Examples:
  capella deneb train train.csv valid.csv --clip clip-vit-b-32 --text sup-simcse-roberta-base --images images \
      --cache vectors -o deneb.safetensors
  capella deneb train train.csv valid.csv --clip clip --text minilm --images images -a paper --curve curve.svg \
      --device cuda -o paper.safetensors
  capella deneb train composite.jsonl pascal_50s.json --layout composite --valid-layout pascal50s \
      --without flickr8k --held-out flickr8k-expert:Flickr8k --held-out nebula:nebula_test.json --text minilm \
      --text-only --cosine --scale-vectors --rows-per-epoch 2048 --patience 10 -o text.safetensors)";

DenebHeldOut held_out(const std::string& word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == word.size())
    throw UsageError(
        fmt::format("--held-out: found '{}', expected LAYOUT:PATH, e.g. flickr8k-expert:Flickr8k", word));
  return {word.substr(0, colon), word.substr(colon + 1)};
}

void add_rows(Command& app, DenebTraining& options) {
  app.add_option("TRAIN", options.training, "Rated captions to learn from")->required();
  app.add_option("VALID", options.validation, "Rated captions, or pairs, that end the training")->required();
  app.add_option("--layout", options.layout,
                 "Of TRAIN and VALID: nebula, polaris, composite, flickr8k-expert or flickr8k-cf")
      ->show_default();
  app.add_option("--valid-layout", options.validation_layout,
                 "Of VALID, if it is another; also pascal50s or foil");
  app.add_option("--without", options.without,
                 "Leave out a part of TRAIN if it is made of several data sets, e.g. flickr8k of composite")
      ->repeated();
  app.add_option_function<std::vector<std::string>>(
         "--held-out",
         [&options](const std::vector<std::string>& words) {
           options.held_out.clear();
           for (const std::string& word : words) options.held_out.push_back(held_out(word));
         },
         "LAYOUT:PATH of a benchmark that the metric is going to be tested on: rows of TRAIN whose "
         "references stand there are left out; may be repeated")
      ->repeated();
}

void add_network(Command& app, DenebTraining& options) {
  app.add_option("-a,--architecture", options.architecture,
                 "released (DENEB as its program is), paper (as its paper is), or polos")
      ->show_default();
  app.add_option("--tokens", options.tokens,
                 "sim-vec: products and differences of vectors; raw: vectors themselves");
  app.add_option("--joiner", options.joiner, "transformer, or mlp: the same layers without attention");
  app.add_option("--references", options.references,
                 "together, or each alone and then the best or the mean score; polos: best or mean");
  app.add_option(
      "--statistics", options.statistics,
      "Of a sentence encoder's layers: frozen (of the training rows), or batch, as the authors' program "
      "has it");
  app.add_flag("--text-only", options.text_only, "Do not look at images");
  app.add_option_function<std::string>(
      "--prompt", [&options](const std::string& prompt) { options.prompt = prompt; },
      "Put before a caption for CLIP; default: the authors', 'In the image, ' (polos: 'A photo depicts ')");
  app.add_option("--width", options.width, "Of projected vectors, a multiple of 16; 0: the authors' (768)")
      ->check(not_negative)
      ->show_default();
  app.add_option("--layers", options.layers, "0: the authors' (3)")->check(not_negative)->show_default();
  app.add_option("--heads", options.heads, "Of attention; 0: the authors' (8)")
      ->check(not_negative)
      ->show_default();
  app.add_option("--feed-forward", options.feed_forward, "In a layer; 0: the authors' (2048)")
      ->check(not_negative)
      ->show_default();
  app.add_option("--hidden", options.hidden,
                 "The two hidden layers of the head; default: the authors' (1536,768)")
      ->comma_separated()
      ->check(not_negative);
}

void add_training(Command& app, DenebTraining& options) {
  app.add_flag("--cosine", options.cosine,
               "The caption's cosine with its references goes straight to the score, and the network adds to "
               "it: for small data");
  app.add_flag("--scale-vectors", options.scale_vectors,
               "Bring vectors to the length of the root of their width: for encoders that give them the "
               "length 1, as minilm does");
  app.add_option("--rate", options.rate, "The greatest rate; 0: the authors' (3e-6; polos 3e-5)")
      ->show_default();
  app.add_option_function<double>(
         "--weight-decay", [&options](double decay) { options.weight_decay = decay; },
         "Of matrices, times the rate at each step; default: the authors' (0)")
      ->check(zero_or_above);
  app.add_option("--batch", options.batch,
                 "Captions in a batch; 0: the authors' (16; polos 64, four make a step)")
      ->check(not_negative)
      ->show_default();
  app.add_option_function<std::size_t>(
         "--warm-up", [&options](std::size_t steps) { options.warm_up = steps; },
         "Steps in which the rate rises; default: the authors' (1000; polos none)")
      ->check(not_negative);
  app.add_option_function<double>(
         "--dropout", [&options](double dropout) { options.dropout = dropout; },
         "Of numbers and of whole layers of the sentence encoder; default: the authors' (0.1)")
      ->check(share);
  app.add_option("--epochs", options.most_epochs, "At most so many; 0: the network stays untrained")
      ->check(not_negative)
      ->show_default();
  app.add_option("--rows-per-epoch", options.rows_per_epoch,
                 "An epoch is so many rows, so that validation comes more often, or less; 0: all rows")
      ->check(not_negative)
      ->show_default();
  app.add_option("--patience", options.patience, "Epochs in a row without a better one that end the training")
      ->check(not_negative)
      ->show_default();
  app.add_flag("--half", options.half,
               "Keep what the sentence encoder says of captions with 16 bits, in half the memory");
  app.add_flag("--restart", options.restart,
               "Begin anew although there is a checkpoint, or a model, which is replaced");
}

}  // namespace

void add_deneb_train(Command& deneb) {
  const auto command = std::make_shared<DenebTrainCommand>();
  DenebTraining& options = command->options;
  Command* app = deneb.add_subcommand("train", "Train a metric from captions that people have rated");
  add_rows(*app, options);
  add_deneb_encoders(*app, options.encoders);
  app->add_option("--sentence-vectors", options.encoders.vectors,
                  "mix: of all layers, learnt; pooled: one vector. Default: pooled if the folder says how "
                  "(modules.json)");
  app->add_option("--images", options.encoders.images,
                  "A folder with files named as the images in the data, or a file of names and paths");
  add_network(*app, options);
  add_training(*app, options);
  add_device(*app, options.device);
  app->add_option("--curve", command->curve, "Draw agreement and loss by epoch into this SVG file");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("The model's file, NAME.safetensors")->required();
  app->footer(kDenebTrainFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
