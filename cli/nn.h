// The words below `capella nn` that have files of their own.
#pragma once

#include "cli/command_line.h"

namespace capella::cli {

void add_nn_calibrate(Command& nn);
void add_nn_train_adapter(Command& nn);

}  // namespace capella::cli
