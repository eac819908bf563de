// The words below `capella deneb`, one file each, and options that they share.
#pragma once

#include <CLI/CLI.hpp>

#include "capella/deneb.h"

namespace capella::cli {

void add_deneb_train(CLI::App& deneb);
void add_deneb_score(CLI::App& deneb);

/// --clip, --text, --cache and --cache-gb.
void add_deneb_encoders(CLI::App& command, DenebEncoders& encoders);

}  // namespace capella::cli
