#include "pipeline/test_verdicts.h"

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::pipeline {

void check_resamples(std::size_t resamples) {
  if (resamples >= kLeastResamples) return;
  throw UsageError(fmt::format("found {} resamples, expected at least {}: a 95 % interval needs them",
                               resamples, kLeastResamples));
}

std::size_t enough_resamples(std::size_t tests) {
  return static_cast<std::size_t>(2 * static_cast<double>(tests) / kSignificance);
}

std::string why_undecided(std::size_t tests, std::size_t resamples) {
  if (static_cast<double>(resamples + 1) * kSignificance > static_cast<double>(tests)) return "";
  return fmt::format(
      "{} resamples are too few for {} tests: no difference could be found real; use --resamples {} or more, "
      "or "
      "ask fewer questions",
      resamples, tests, enough_resamples(tests));
}

void warn_of_few_units(std::size_t units, std::string_view unit, std::vector<std::string>& warnings) {
  if (units >= kFewUnits) return;
  warnings.push_back(
      fmt::format("{} {}{}: too few for an interval to mean much", units, unit, units == 1 ? "" : "s"));
}

}  // namespace capella::pipeline
