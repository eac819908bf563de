// Scoring captions with `capella mln infer --ground ... --nli ...`.
#pragma once

#include <string>

#include "capella/mln.h"

#include "cli/command_line.h"
#include "cli/options.h"

namespace capella::cli {

struct CaptionsCommand {
  InferRun run;
  std::string results;
};
void add_captions_options(Command& app, CaptionsCommand& command);
/// Whether the options ask for it.
bool asks_for_captions(const CaptionsCommand& command);
void run_captions(CaptionsCommand& command, const CommonOptions& common, const InferenceOptions& inference);

}  // namespace capella::cli
