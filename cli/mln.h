// The words below `capella mln`, one file each.
#pragma once

#include <CLI/CLI.hpp>

namespace capella::cli {

void add_mln_triplets(CLI::App& mln);
void add_mln_structure(CLI::App& mln);
void add_mln_weights(CLI::App& mln);
void add_mln_mil(CLI::App& mln);
void add_mln_ground(CLI::App& mln);
void add_mln_nli(CLI::App& mln);
void add_mln_infer(CLI::App& mln);
void add_mln_report(CLI::App& mln);
void add_mln_run(CLI::App& mln);

}  // namespace capella::cli
