// What training a small CLIP did, for people and for programs.
#pragma once

#include <string>

#include "capella/clip_training.h"

#include "report/table.h"

namespace capella::report {

/// One row per epoch; JSON, the text table and Markdown tell of the network too.
std::string format_clip_training(const ClipTrained& trained, Format format);

}  // namespace capella::report
