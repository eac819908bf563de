// capella mln weights
#include <fmt/format.h>

#include "capella/error.h"
#include "capella/logic.h"

#include "cli/interrupt.h"
#include "cli/mln.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/logic_report.h"

namespace capella::cli {
namespace {

struct WeightsCommand {
  CommonOptions common;
  WeightLearning learning;
  std::size_t top = 40;
};

void run(WeightsCommand& command) {
  const report::Format format = report::format_by_name(command.common.format);
  WeightLearning& learning = command.learning;
  std::vector<std::string> inputs = learning.worlds;
  inputs.push_back(learning.network);
  check_outputs(std::vector{command.common.output}, inputs);
  learning.output = command.common.output;
  learning.threads = command.common.threads;
  learning.progress = progress_bar(command.common);
  const WeightsLearned learned = InterruptNotice().during([&] { return learn_logic_weights(learning); });
  for (const std::string& note : learned.notes) warn(command.common, note);
  emit_beside_file(command.common, report::format_learned_weights(learned, format, command.top));
}

constexpr const char* kMlnWeightsFooter =
    R"(NET.mln has formulas with or without weights; a weight is where learning starts, and hard formulas (with a period) stay
as they are. Each .db file is a whole world: atoms that it does not list are false. A .jsonl file of triplets, as capella mln
triplets writes it, has a world for each image. Weights make the worlds' pseudo-likelihood as large as possible, with a
Gaussian prior; --objective exact takes the likelihood itself, where the networks are small enough.

Examples:
  capella mln weights rules.mln world.db -o learned.mln
  capella mln weights rules.mln world1.db world2.db --prior-sd 1 --objective exact -o learned.mln
  capella mln weights rules.mln triplets.jsonl --format json -o learned.mln      table as JSON, weights in the file)";

void add_learning_options(Command& app, WeightLearning& learning) {
  app.add_option("--objective", learning.objective, "What is made as large as possible: pseudo, or exact")
      ->one_of({"pseudo", "exact"})
      ->show_default();
  app.add_option("--optimiser", learning.optimiser, "lbfgs, gradient (the paper's) or newton")
      ->one_of({"lbfgs", "gradient", "newton"})
      ->show_default();
  app.add_option("--prior-sd", learning.prior_sd,
                 "Standard deviation of weights before any data; inf: no prior")
      ->show_default();
  app.add_option("--l1", learning.l1, "L1 penalty: makes weights of useless formulas 0")->show_default();
  app.add_option("--step", learning.step, "The step of --optimiser gradient; 0: one that never overshoots")
      ->check(zero_or_above)
      ->show_default();
  app.add_option("--iterations", learning.iterations, "Iterations at most; 0: 1,000, of gradient 10,000")
      ->check(not_negative)
      ->show_default();
  app.add_flag("--per-predicate", learning.per_predicate,
               "Every predicate counts alike, however many atoms it has");
  app.add_flag("--merged", learning.merged, "All images of a file of triplets are one world");
  app.add_option("--split", learning.split, "Which rows of triplets to learn from, by their split")
      ->show_default();
}

}  // namespace

void add_mln_weights(Command& mln) {
  const auto command = std::make_shared<WeightsCommand>();
  Command* app = mln.add_subcommand("weights", "Learn the weights of a network's formulas from worlds");
  app->add_option("NET", command->learning.network, "The network, .mln")->required();
  app->add_option("WORLDS", command->learning.worlds, "Worlds, .db; or triplets, .jsonl")->required();
  add_learning_options(*app, command->learning);
  app->add_option("--top", command->top, "How many formulas the table shows; 0: all (JSON and CSV have all)")
      ->check(not_negative)
      ->show_default();
  add_common(*app, command->common);
  app->get_option("--output")->description("The network with its weights, .mln")->required();
  app->footer(kMlnWeightsFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
