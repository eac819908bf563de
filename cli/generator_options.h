// What the three commands around caption generators share: images with their features.
#pragma once

#include <string>
#include <vector>

#include "capella/pregen.h"

#include "cli/command_line.h"
#include "cli/options.h"

namespace capella::cli {

/// DATASET, FEATURES and --variable.
void add_generator_inputs(Command& command, GeneratorInputs& inputs);

/// MODEL, the inputs, --split and --device.
void add_generator_run(Command& command, GeneratorRun& run);

/// Output, threads and progress of a run, from the options that every command has. Throws as check_outputs()
/// does.
void take_common(const CommonOptions& common, GeneratorRun& run);

}  // namespace capella::cli
