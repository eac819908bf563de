#include "report/pregen_metrics_report.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "report/json_value.h"

namespace capella::report {
namespace {

// Perplexity, then the metrics that follow one of the four post-gen scores best over all the paper's data.
constexpr std::array<std::string_view, 9> kShown = {
    kPregenPerplexity,
    kBestPregenMetric,
    "mean_mean_normcount_prefix0",
    "mean_join_normcount_prefix0",
    "mean_sum_normcount_prefix0",
    "mean_mean_count_prefix0",
    "mean_join_count_prefix0",
    "mean_min_count_filter0",
    "geomean_min_pplx_filter0",
};

std::vector<std::size_t> shown_places(const std::vector<std::string>& names, bool all) {
  std::vector<std::size_t> places;
  for (const std::string_view shown : kShown) {
    const auto found = std::ranges::find(names, shown);
    if (found != names.end()) places.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  if (!all) return places;
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (std::ranges::find(kShown, names[m]) == kShown.end()) places.push_back(m);
  }
  return places;
}

Table table_of_metrics(std::span<const PregenMetrics> systems, const std::vector<std::string>& names,
                       bool all, bool exact) {
  Table table{{"metric"}, {}, 1};
  for (const PregenMetrics& system : systems) table.columns.push_back(system.system);
  for (const std::size_t m : shown_places(names, all)) {
    auto& row = table.rows.emplace_back();
    row.push_back({!exact && names[m] == kPregenPerplexity ? names[m] + " (perplexity)" : names[m]});
    for (const PregenMetrics& system : systems)
      row.push_back({exact ? fmt::format("{}", system.values[m]) : fmt::format("{:.6g}", system.values[m])});
  }
  return table;
}

Table table_of_systems(std::span<const PregenMetrics> systems, const std::vector<std::string>& names) {
  Table table{{"system"}, {}, 1};
  table.columns.insert(table.columns.end(), names.begin(), names.end());
  for (const PregenMetrics& system : systems) {
    auto& row = table.rows.emplace_back();
    row.push_back({system.system});
    for (const double value : system.values) row.push_back({fmt::format("{}", value)});
  }
  return table;
}

Json json_of(const PregenMetrics& system, const std::vector<std::string>& names) {
  Json values = Json::object();
  for (std::size_t m = 0; m < names.size(); ++m) values[names[m]] = json_number(system.values[m]);
  return values;
}

}  // namespace

std::string format_pregen_metrics(std::span<const PregenMetrics> systems,
                                  const std::vector<std::string>& names, Format format, bool all) {
  if (format == Format::json) {
    Json whole = Json::object();
    for (const PregenMetrics& system : systems) whole[system.system] = json_of(system, names);
    return dump(systems.size() == 1 ? whole.front() : whole, 2) + '\n';
  }
  if (format == Format::csv) return to_csv(table_of_systems(systems, names));
  return format_table(table_of_metrics(systems, names, all, format == Format::plain), format);
}

}  // namespace capella::report
