// The words below `capella mln`, one file each.
#pragma once

#include "cli/command_line.h"

namespace capella::cli {

void add_mln_triplets(Command& mln);
void add_mln_structure(Command& mln);
void add_mln_weights(Command& mln);
void add_mln_mil(Command& mln);
void add_mln_ground(Command& mln);
void add_mln_nli(Command& mln);
void add_mln_infer(Command& mln);
void add_mln_report(Command& mln);
void add_mln_run(Command& mln);

}  // namespace capella::cli
