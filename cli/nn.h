// The words below `capella nn` that have files of their own.
#pragma once

#include <CLI/CLI.hpp>

namespace capella::cli {

void add_nn_calibrate(CLI::App& nn);
void add_nn_train_adapter(CLI::App& nn);

}  // namespace capella::cli
