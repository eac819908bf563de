#include "cli/option_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

namespace capella::cli {

void refuse_options_of_others(const Command& app, std::string_view job, std::span<const OptionUse> table) {
  for (const OptionUse& use : table) {
    if (app.count(use.option) == 0 || std::ranges::find(use.jobs, job) != use.jobs.end()) continue;
    // An option that names a job is for that job alone.
    const bool names_job =
        std::ranges::any_of(use.jobs, [&](std::string_view one) { return one.starts_with(use.option); });
    const std::string others = names_job ? "" : fmt::format(", only with {}", fmt::join(use.jobs, ", "));
    throw UsageError(fmt::format("{} is not compatible with {}{}; leave it out", use.option, job, others));
  }
}

}  // namespace capella::cli
