// The words below `capella deneb`, one file each, and options that they share.
#pragma once

#include "capella/deneb.h"

#include "cli/command_line.h"

namespace capella::cli {

void add_deneb_train(Command& deneb);
void add_deneb_score(Command& deneb);

/// --clip, --text, --cache and --cache-gb.
void add_deneb_encoders(Command& command, DenebEncoders& encoders);

}  // namespace capella::cli
