// capella mln
#include "cli/mln.h"

#include "cli/commands.h"

namespace capella::cli {
namespace {

constexpr const char* kMlnFooter =
    R"(A Markov logic network is a list of weighted formulas; a world is the more probable the more weight of formulas holds
in it. Probabilities are exact where that is possible, else sampled, with error bars. docs/mln.md tells the language of
.mln and .db files and what the method can see.

Examples:
  capella mln infer rules.mln --db known.db --query 'Ride(Man,Bike)'    how probable, and every atom
  capella mln weights rules.mln world1.db world2.db -o learned.mln      weights from worlds)";

}  // namespace

void add_mln(Command& program) {
  Command* app =
      program.add_subcommand("mln", "Markov logic: how probable is what a caption claims, and why");
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
