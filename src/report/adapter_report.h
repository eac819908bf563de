// What training an adapter did, for people and for programs.
#pragma once

#include <string>

#include "capella/adapter_training.h"

#include "report/table.h"

namespace capella::report {

/// One row for every few steps; JSON, the text table and Markdown also tell what was learnt from.
std::string format_adapter_training(const AdapterTrained& trained, Format format);

/// Loss and agreement with people, step by step.
std::string draw_adapter_training(const AdapterTrained& trained);

}  // namespace capella::report
