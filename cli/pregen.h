// The words below `capella pregen`, one file each.
#pragma once

#include <CLI/CLI.hpp>

namespace capella::cli {

void add_pregen_metrics(CLI::App& pregen);
void add_pregen_strata(CLI::App& pregen);
void add_pregen_correlate(CLI::App& pregen);
void add_pregen_plot(CLI::App& pregen);
void add_pregen_train(CLI::App& pregen);
void add_pregen_probs(CLI::App& pregen);
void add_pregen_generate(CLI::App& pregen);
void add_pregen_study(CLI::App& pregen);

}  // namespace capella::cli
