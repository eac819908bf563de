// The words below `capella meta`, one file each.
#pragma once

#include <CLI/CLI.hpp>

namespace capella::cli {

void add_meta_prepare(CLI::App& meta);
void add_meta_foil_set(CLI::App& meta);
void add_meta_challenge_set(CLI::App& meta);

}  // namespace capella::cli
