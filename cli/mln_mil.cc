// capella mln mil
#include <memory>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/names.h"
#include "cli/interrupt.h"
#include "cli/mln.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/attention_picture.h"
#include "report/mln_stage_report.h"

namespace capella::cli {
namespace {

struct MilCommand {
  CommonOptions common;
  MilRun options;
  std::string model;
  std::string image;
  std::string claim;
};

Claim read_claim(const std::string& text) {
  const std::vector<std::string_view> parts = split_list(text, ':');
  if (parts.size() != 3)
    throw UsageError("--claim '" + text + "': expected SUBJECT:PREDICATE:OBJECT, e.g. man:ride:bike");
  return {std::string(parts[0]), std::string(parts[1]), std::string(parts[2])};
}

void draw_attention(const MilCommand& command) {
  if (command.image.empty() || command.claim.empty())
    throw UsageError("--model needs --image ID and --claim SUBJECT:PREDICATE:OBJECT");
  expect_no_format(command.common, "the result is a figure (SVG)");
  const Claim claim = read_claim(command.claim);
  const MilAttention attention = mln_attention(command.model, command.options.objects, command.image, claim);
  check_outputs(std::vector{command.common.output}, std::vector{command.options.objects, command.model});
  emit(command.common, report::draw_attention(attention, claim));
}

constexpr std::string_view kTraining = "training networks";
constexpr std::string_view kModel = "--model";

const std::vector<OptionUse>& mln_mil_option_uses() {
  static const std::vector<OptionUse> uses = {
      {"TRIPLETS", {kTraining}}, {"--attention", {kTraining}}, {"--both", {kTraining}},
      {"--preset", {kTraining}}, {"--negatives", {kTraining}}, {"--pixel-boxes", {kTraining}},
      {"--epochs", {kTraining}}, {"--hidden", {kTraining}},    {"--attention-size", {kTraining}},
      {"--rate", {kTraining}},   {"--image", {kModel}},        {"--claim", {kModel}}};
  return uses;
}

void run(MilCommand& command) {
  if (!command.model.empty()) return draw_attention(command);
  const report::Format format = summary_format(command.common);
  MilRun& options = command.options;
  if (options.triplets.empty()) throw UsageError("no TRIPLETS to learn from (or --model to look at)");
  if (command.common.output.empty()) throw UsageError("-o FILE.npz is missing");
  options.output = command.common.output;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  check_outputs(std::vector{options.output}, std::vector{options.objects, options.triplets});
  const MilSummary summary = InterruptNotice().during([&] { return mln_mil(options); });
  emit_beside_file(command.common, format, report::format_mil(summary, format));
}

constexpr const char* kMlnMilFooter =
    R"(Trains one small network per predicate, which decides from the features and boxes of two objects whether the relation
holds. Captions name objects, not boxes: all pairs of boxes with matching labels form a bag, and attention finds the pair
that matters. Networks are trained on the splits train and restval, calibrated and evaluated (AUC) on val.

Examples:
  capella mln mil objects.jsonl triplets.jsonl -o mil.npz
  capella mln mil objects.jsonl triplets.jsonl --both -o mil.npz
  capella mln mil objects.jsonl --model mil.npz --image 7 \
      --claim man:ride:bike -o attention.svg)";

void add_network_options(Command& app, MilRun& options) {
  app.add_option("--attention", options.attention, "Kind of attention")
      ->one_of({"gated", "plain"})
      ->show_default();
  app.add_flag("--both", options.both, "Also train the other kind of attention, and compare");
  app.add_option("--preset", options.preset,
                 "Sizes and learning rate: small (for a few thousand images) or the paper's")
      ->one_of({"small", "paper"})
      ->show_default();
  app.add_option("--negatives", options.negatives,
                 "Negative bags: pairs with other predicates, with a label missing, all possible ones, those "
                 "of mentioned "
                 "objects, or the last two mixed")
      ->one_of({"preset", "other", "mismatch", "possible", "mentioned", "mixed"})
      ->show_default();
  app.add_flag("--pixel-boxes", options.pixel_boxes, "Boxes in pixels instead of shares of the image");
  app.add_option("--epochs", options.epochs, "Number of epochs; default: as the preset")->check(not_negative);
  app.add_option("--hidden", options.hidden, "Size of the hidden layer; default: as the preset")
      ->check(not_negative);
  app.add_option("--attention-size", options.attention_size,
                 "Size of the attention layer; default: as the preset")
      ->check(not_negative);
  app.add_option("--rate", options.rate, "Learning rate (Adam); default: as the preset");
}

}  // namespace

void add_mln_mil(Command& mln) {
  const auto command = std::make_shared<MilCommand>();
  MilRun& options = command->options;
  Command* app = mln.add_subcommand("mil", "Learn relations from the boxes of images");
  app->add_option("OBJECTS", options.objects, "Detected objects with features (objects.jsonl)")->required();
  app->add_option("TRIPLETS", options.triplets, "Triplets to train on, from `capella mln triplets`");
  add_network_options(*app, options);
  app->add_option("--model", command->model, "Trained model to inspect; the figure goes to -o");
  app->add_option("--image", command->image, "Id of the image to inspect");
  app->add_option("--claim", command->claim, "Claim to inspect, SUBJECT:PREDICATE:OBJECT");
  add_common(*app, command->common);
  app->footer(kMlnMilFooter);
  app->callback([command, app] {
    refuse_options_of_others(*app, command->model.empty() ? kTraining : kModel, mln_mil_option_uses());
    run(*command);
  });
}

}  // namespace capella::cli
