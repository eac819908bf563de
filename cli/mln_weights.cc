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
  const report::Format format = summary_format(command.common);
  WeightLearning& learning = command.learning;
  std::vector<std::string> inputs = learning.worlds;
  inputs.push_back(learning.network);
  check_outputs(std::vector{command.common.output}, inputs);
  learning.output = command.common.output;
  learning.threads = command.common.threads;
  learning.progress = progress_bar(command.common);
  const WeightsLearned learned = InterruptNotice().during([&] { return learn_logic_weights(learning); });
  for (const std::string& note : learned.notes) warn(command.common, note);
  emit_beside_file(command.common, format, report::format_learned_weights(learned, format, command.top));
}

constexpr const char* kMlnWeightsFooter =
    R"(NET has formulas with or without weights; learning starts from the weights, and hard formulas (with a period) stay as
they are. Each .db file is a whole world: atoms that it does not list are false. A .jsonl file of triplets (capella mln
triplets) has one world per image. Maximizes the worlds' pseudo-likelihood with a Gaussian prior; --objective exact
maximizes the likelihood itself, for networks that are small enough.

Examples:
  capella mln weights rules.mln world.db -o learned.mln
  capella mln weights rules.mln world1.db world2.db --prior-sd 1 \
      --objective exact -o learned.mln
  capella mln weights rules.mln triplets.jsonl -o learned.mln)";

void add_learning_options(Command& app, WeightLearning& learning) {
  app.add_option("--objective", learning.objective,
                 "Objective: pseudo-likelihood (pseudo) or likelihood (exact)")
      ->one_of({"pseudo", "exact"})
      ->show_default();
  app.add_option("--optimiser", learning.optimiser, "Optimizer; the paper's is gradient")
      ->one_of({"lbfgs", "gradient", "newton"})
      ->show_default();
  app.add_option("--prior-sd", learning.prior_sd, "Standard deviation of the Gaussian prior; inf: no prior")
      ->show_default();
  app.add_option("--l1", learning.l1, "L1 penalty, which sets the weights of useless formulas to 0")
      ->show_default();
  app.add_option("--step", learning.step, "Step size of the optimizer gradient; 0: one that never overshoots")
      ->check(zero_or_above)
      ->show_default();
  app.add_option("--iterations", learning.iterations,
                 "Maximum number of iterations; 0: 1,000 (gradient 10,000)")
      ->check(not_negative)
      ->show_default();
  app.add_flag("--per-predicate", learning.per_predicate,
               "Weight predicates equally, however many atoms they have");
  app.add_flag("--merged", learning.merged, "Treat all images of a triplets file as one world");
  app.add_option("--split", learning.split, "Splits of the triplets to learn from, separated by commas")
      ->show_default();
}

}  // namespace

void add_mln_weights(Command& mln) {
  const auto command = std::make_shared<WeightsCommand>();
  Command* app = mln.add_subcommand("weights", "Learn the weights of formulas");
  app->add_option("NET", command->learning.network, "Network, .mln")->required();
  app->add_option("WORLDS", command->learning.worlds, "Worlds (.db) or triplets (.jsonl)")->required();
  add_learning_options(*app, command->learning);
  app->add_option("--top", command->top,
                  "Number of formulas in the table; 0: all. JSON and CSV always have all")
      ->check(not_negative)
      ->show_default();
  add_common(*app, command->common);
  app->get_option("--output")->description("Network with learned weights, .mln")->required();
  app->footer(kMlnWeightsFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
