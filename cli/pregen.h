// The words below `capella pregen`, one file each.
#pragma once

#include "cli/command_line.h"

namespace capella::cli {

void add_pregen_metrics(Command& pregen);
void add_pregen_strata(Command& pregen);
void add_pregen_correlate(Command& pregen);
void add_pregen_plot(Command& pregen);
void add_pregen_train(Command& pregen);
void add_pregen_probs(Command& pregen);
void add_pregen_generate(Command& pregen);
void add_pregen_study(Command& pregen);

}  // namespace capella::cli
