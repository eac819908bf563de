// What training and asking caption generators did, for people and for programs.
#pragma once

#include <string>

#include "capella/pregen.h"

#include "report/table.h"

namespace capella::report {

/// One row per epoch; JSON, the text table and Markdown tell of the network too.
std::string format_generator(const GeneratorTrained& trained, Format format);

std::string format_probabilities(const ProbabilityRun& run, Format format);
std::string format_generation(const GenerationRun& run, Format format);

}  // namespace capella::report
