// Prepared ratings as a benchmark file, and what was done to them.
#pragma once

#include <string>
#include <string_view>

#include "capella/ratings.h"

namespace capella::report {

/// The benchmark: {"imgid", "mt", "refs", "score", "judgements"} for each caption, as a list (format "json")
/// or a line each ("jsonl"). Throws UsageError for another format.
std::string format_prepared(const PreparedRatings& ratings, std::string_view format);

/// Throws UsageError unless format_prepared() knows the format.
void check_prepared_format(std::string_view format);

/// The report as JSON for programs.
std::string preparation_json(const PreparationReport& report);

/// The report in a few lines for people.
std::string preparation_text(const PreparationReport& report);

}  // namespace capella::report
