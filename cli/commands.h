// The subcommands: each file of this folder adds one to the program. A command parses flags, calls the
// pipeline and prints; it never computes.
#pragma once

#include <CLI/CLI.hpp>

namespace capella::cli {

void add_score(CLI::App& program);
void add_compare(CLI::App& program);
void add_merge(CLI::App& program);
void add_meta(CLI::App& program);
void add_composite(CLI::App& program);
void add_pregen(CLI::App& program);
void add_mln(CLI::App& program);
void add_deneb(CLI::App& program);
void add_nn(CLI::App& program);
void add_explain(CLI::App& program);
void add_parse(CLI::App& program);
void add_df(CLI::App& program);
void add_world(CLI::App& program);
void add_data(CLI::App& program);
void add_metrics(CLI::App& program);
void add_verify(CLI::App& program);
void add_doctor(CLI::App& program);
void add_completion(CLI::App& program);

}  // namespace capella::cli
