// The subcommands: each file of this folder adds one to the program. A command parses flags, calls the
// pipeline and prints; it never computes.
#pragma once

#include "cli/command_line.h"

namespace capella::cli {

void add_score(Command& program);
void add_compare(Command& program);
void add_merge(Command& program);
void add_meta(Command& program);
void add_composite(Command& program);
void add_pregen(Command& program);
void add_mln(Command& program);
void add_deneb(Command& program);
void add_nn(Command& program);
void add_explain(Command& program);
void add_parse(Command& program);
void add_df(Command& program);
void add_world(Command& program);
void add_data(Command& program);
void add_metrics(Command& program);
void add_verify(Command& program);
void add_doctor(Command& program);
void add_completion(Command& program);

}  // namespace capella::cli
