// A run's result for people and for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "capella/result.h"

#include "report/table.h"

namespace capella::report {

/// Systems by scores. The text table, Markdown and LaTeX show values on each score's display scale; JSON, CSV
/// and plain the natural values in full precision.
std::string format_result(const Result& result, Format format, bool short_signatures = false);

/// The JSON format, for reports that hold a result and more.
nlohmann::ordered_json result_json(const Result& result);

/// One line of JSON per system and item: {"system", "id", "scores"}.
std::string item_lines(const Result& result);

}  // namespace capella::report
