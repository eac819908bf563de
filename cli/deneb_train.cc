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
  const report::Format format = summary_format(command.common);
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
  const DenebTrained trained = InterruptNotice::of_training(options.output, options.restart).during([&] {
    return train_deneb(options);
  });
  for (const std::string& warning : trained.warnings) warn(command.common, warning);
  notice(command.common, fmt::format("{}: vectors in {:.1f} s, trained in {:.1f} s", options.output,
                                     trained.encoding_seconds, trained.seconds));
  if (!command.curve.empty()) write_file_atomically(command.curve, report::draw_deneb(trained));
  emit_beside_file(command.common, format, report::format_deneb(trained, format));
}

constexpr const char* kDenebTrainFooter =
    R"(TRAIN and VALID are rated captions: CSV, JSON or JSONL with the columns mt, refs, score and imgid (Nebula, Polaris), or
another --layout. After every epoch, agreement with VALID is measured: Kendall's tau-c with the ratings, or accuracy on
pairs (--valid-layout pascal50s or foil). Training stops after --patience epochs without improvement and keeps the best
epoch. During training, MODEL.checkpoint is next to MODEL: run the same command again to resume. Needs the torch
plug-in; `capella doctor` says whether it is installed.

Examples:
  capella deneb train train.csv valid.csv --clip clip-vit-b-32 \
      --text sup-simcse-roberta-base --images images --cache cache \
      -o deneb.safetensors
  capella deneb train train.csv valid.csv --clip clip --text minilm \
      --images images -a paper --curve curve.svg --device cuda \
      -o paper.safetensors
  capella deneb train composite.jsonl pascal_50s.json --layout composite \
      --valid-layout pascal50s --without flickr8k --text minilm --text-only \
      --held-out flickr8k-expert:Flickr8k --cosine --scale-vectors \
      --rows-per-epoch 2048 --patience 10 -o text.safetensors)";

DenebHeldOut held_out(const std::string& word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == word.size())
    throw UsageError(
        fmt::format("--held-out: found '{}', expected LAYOUT:PATH, e.g. flickr8k-expert:Flickr8k", word));
  return {word.substr(0, colon), word.substr(colon + 1)};
}

void add_rows(Command& app, DenebTraining& options) {
  app.add_option("TRAIN", options.training, "Rated captions to train on")->required();
  app.add_option("VALID", options.validation, "Rated captions or pairs for validation")->required();
  app.add_option("--layout", options.layout,
                 "Layout of TRAIN and VALID: nebula, polaris, composite, flickr8k-expert or flickr8k-cf")
      ->show_default();
  app.add_option("--valid-layout", options.validation_layout,
                 "Layout of VALID, if it differs; also pascal50s or foil");
  app.add_option("--without", options.without,
                 "Leave out one of TRAIN's data sets, e.g. flickr8k of composite; may be repeated")
      ->repeated();
  app.add_option_function<std::vector<std::string>>(
         "--held-out",
         [&options](const std::vector<std::string>& words) {
           options.held_out.clear();
           for (const std::string& word : words) options.held_out.push_back(held_out(word));
         },
         "Test benchmark, LAYOUT:PATH: rows of TRAIN that share references with it are left out; may be "
         "repeated")
      ->repeated();
}

void add_network(Command& app, DenebTraining& options) {
  app.add_option("-a,--architecture", options.architecture,
                 "Architecture: released (DENEB's program), paper (DENEB's paper) or polos")
      ->show_default();
  app.add_option("--tokens", options.tokens,
                 "Input tokens: sim-vec (products and differences of embeddings), or raw (the embeddings)");
  app.add_option("--joiner", options.joiner, "Layers: transformer, or mlp (the same without attention)");
  app.add_option("--references", options.references,
                 "References: together, or each alone with the best or the mean score (polos: best or mean)");
  app.add_option("--statistics", options.statistics,
                 "Normalization statistics of the sentence encoder's layers: frozen (of the training rows), "
                 "or batch (as in "
                 "the authors' program)");
  app.add_flag("--text-only", options.text_only, "Ignore images");
  app.add_option_function<std::string>(
      "--prompt", [&options](const std::string& prompt) { options.prompt = prompt; },
      "Prompt before a caption for CLIP; default: 'In the image, ' (polos: 'A photo depicts ')");
  app.add_option("--width", options.width,
                 "Width of projected embeddings, a multiple of 16; 0: the authors' (768)")
      ->check(not_negative)
      ->show_default();
  app.add_option("--layers", options.layers, "Number of layers; 0: the authors' (3)")
      ->check(not_negative)
      ->show_default();
  app.add_option("--heads", options.heads, "Number of attention heads; 0: the authors' (8)")
      ->check(not_negative)
      ->show_default();
  app.add_option("--feed-forward", options.feed_forward,
                 "Size of the feed-forward layers; 0: the authors' (2048)")
      ->check(not_negative)
      ->show_default();
  app.add_option("--hidden", options.hidden,
                 "Sizes of the head's two hidden layers; default: the authors' (1536,768)")
      ->comma_separated()
      ->check(not_negative);
}

void add_training(Command& app, DenebTraining& options) {
  app.add_flag(
      "--cosine", options.cosine,
      "Add the network's output to the caption's cosine similarity with its references; for small data sets");
  app.add_flag(
      "--scale-vectors", options.scale_vectors,
      "Scale embeddings to the square root of their width; for encoders with unit-length embeddings, such as "
      "minilm");
  app.add_option("--rate", options.rate, "Peak learning rate; 0: the authors' (3e-6; polos 3e-5)")
      ->show_default();
  app.add_option_function<double>(
         "--weight-decay", [&options](double decay) { options.weight_decay = decay; },
         "Weight decay of matrices, times the learning rate; default: the authors' (0)")
      ->check(zero_or_above);
  app.add_option("--batch", options.batch,
                 "Batch size; 0: the authors' (16; polos 64, with four batches per step)")
      ->check(not_negative)
      ->show_default();
  app.add_option_function<std::size_t>(
         "--warm-up", [&options](std::size_t steps) { options.warm_up = steps; },
         "Warm-up steps of the learning rate; default: the authors' (1000; polos none)")
      ->check(not_negative);
  app.add_option_function<double>(
         "--dropout", [&options](double dropout) { options.dropout = dropout; },
         "Dropout, also of whole layers of the sentence encoder; default: the authors' (0.1)")
      ->check(share);
  app.add_option("--epochs", options.most_epochs, "Maximum number of epochs; 0: leave the network untrained")
      ->check(not_negative)
      ->show_default();
  app.add_option("--rows-per-epoch", options.rows_per_epoch, "Rows between two validations; 0: all rows")
      ->check(not_negative)
      ->show_default();
  app.add_option("--patience", options.patience, "Epochs without improvement before training stops")
      ->check(not_negative)
      ->show_default();
  app.add_flag("--half", options.half,
               "Keep embeddings of the sentence encoder in 16 bits, which halves memory");
  app.add_flag("--restart", options.restart,
               "Start again even if there is a checkpoint or a model, which is replaced");
}

}  // namespace

void add_deneb_train(Command& deneb) {
  const auto command = std::make_shared<DenebTrainCommand>();
  DenebTraining& options = command->options;
  Command* app = deneb.add_subcommand("train", "Train a metric on rated captions");
  add_rows(*app, options);
  add_deneb_encoders(*app, options.encoders);
  app->add_option(
      "--sentence-vectors", options.encoders.vectors,
      "Sentence embeddings: mix (a learned mix of all layers) or pooled (one vector). Default: pooled if the "
      "folder defines pooling (modules.json)");
  app->add_option("--images", options.encoders.images,
                  "Images: a folder with files named as in the data, or a file of names and paths");
  add_network(*app, options);
  add_training(*app, options);
  add_device(*app, options.device);
  app->add_option("--curve", command->curve, "Plot agreement and loss by epoch into this SVG file");
  add_common(*app, command->common);
  tell_of_torch_threads(*app);
  app->get_option("--output")->description("Model file, NAME.safetensors")->required();
  app->footer(kDenebTrainFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
