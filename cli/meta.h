// The words below `capella meta`, one file each.
#pragma once

#include "cli/command_line.h"

namespace capella::cli {

void add_meta_prepare(Command& meta);
void add_meta_foil_set(Command& meta);
void add_meta_challenge_set(Command& meta);

}  // namespace capella::cli
