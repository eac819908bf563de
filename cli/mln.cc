// capella mln
#include "cli/mln.h"

#include "cli/commands.h"

namespace capella::cli {
namespace {

constexpr const char* kMlnFooter =
    R"(A Markov logic network is a list of weighted formulas; the more weight of formulas holds in a world, the more probable
it is. Probabilities are exact where possible, otherwise sampled and reported with error bars. docs/mln.md describes the
language of .mln and .db files and the limits of the method.

Examples:
  capella mln run --world world -o verification    # all stages
  capella mln infer rules.mln --db known.db --query 'Ride(Man,Bike)'
  capella mln weights rules.mln world1.db world2.db -o learned.mln)";

}  // namespace

void add_mln(Command& program) {
  Command* app = program.add_subcommand("mln", "Markov logic: how probable a caption's claims are, and why");
  app->require_subcommand();
  add_mln_triplets(*app);
  add_mln_structure(*app);
  add_mln_weights(*app);
  add_mln_mil(*app);
  add_mln_ground(*app);
  add_mln_nli(*app);
  add_mln_infer(*app);
  add_mln_report(*app);
  add_mln_run(*app);
  app->footer(kMlnFooter);
}

}  // namespace capella::cli
