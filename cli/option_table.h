// Commands that do one of several jobs: which option is for which of them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace capella::cli {

struct OptionUse {
  const char* option;
  std::vector<std::string_view> jobs;  ///< as messages call them
};

/// Throws UsageError for an option that was given and would do nothing in this job.
void refuse_options_of_others(const Command& app, std::string_view job, std::span<const OptionUse> table);

}  // namespace capella::cli
