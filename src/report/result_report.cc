#include "report/result_report.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/names.h"
#include "report/json_value.h"
#include "report/table.h"

namespace capella::report {
namespace {

std::string json_result(const Result& result) {
  Json systems = Json::array();
  for (const SystemResult& system : result.systems) {
    Json scores = Json::object();
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      scores[result.columns[i].name] = {{"value", json_number(system.values[i])},
                                        {"signature", result.columns[i].signature}};
    }
    systems.push_back({{"system", system.name}, {"scores", std::move(scores)}});
  }
  Json skipped = Json::array();
  for (const Skipped& row : result.skipped) skipped.push_back({{"id", row.id}, {"why", row.why}});
  const Json whole = {{"capella", kVersion},
                      {"items", result.ids.size()},
                      {"systems", std::move(systems)},
                      {"skipped", std::move(skipped)}};
  return dump(whole, 2) + '\n';
}

// A score may be no number: a category of SPICE that the references have nothing of.
std::string display(double value, double scale) {
  return std::isnan(value) ? "-" : fmt::format("{:.2f}", value * scale);
}

bool is_lower(double a, double b) {
  return std::isnan(a) ? !std::isnan(b) : a < b;
}

// The column's values as papers print them; the highest is marked when there are several systems.
Table display_table(const Result& result) {
  Table table{{"system"}, {}, 1};
  for (const ScoreColumn& column : result.columns) {
    if (column.in_tables) table.columns.push_back(column.name);
  }
  for (const SystemResult& system : result.systems) {
    auto& row = table.rows.emplace_back();
    row.push_back({system.name});
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      if (!result.columns[i].in_tables) continue;
      const auto best =
          std::max_element(result.systems.begin(), result.systems.end(),
                           [i](const auto& a, const auto& b) { return is_lower(a.values[i], b.values[i]); });
      const bool marked = result.systems.size() > 1 && best->values[i] == system.values[i];
      row.push_back({display(system.values[i], result.columns[i].display_scale), marked});
    }
  }
  return table;
}

Table exact_table(const Result& result) {
  Table table{{"system"}, {}, 1};
  for (const ScoreColumn& column : result.columns) table.columns.push_back(column.name);
  for (const SystemResult& system : result.systems) {
    auto& row = table.rows.emplace_back();
    row.push_back({system.name});
    for (const double value : system.values) row.push_back({fmt::format("{}", value)});
  }
  return table;
}

Table plain_table(const Result& result) {
  Table table;
  for (const SystemResult& system : result.systems) {
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      table.rows.push_back({{system.name}, {result.columns[i].name}, {fmt::format("{}", system.values[i])}});
    }
  }
  return table;
}

// How many items, on which scale, and the signature of every score; scores that differ in name alone share a
// line.
std::string footnotes(const Result& result, std::string_view indent, bool short_signatures) {
  std::string out =
      fmt::format("{}{} item{}\n", indent, result.ids.size(), result.ids.size() == 1 ? "" : "s");
  std::vector<ScoreColumn> columns = result.columns;
  std::erase_if(columns, [](const ScoreColumn& column) { return !column.in_tables; });
  for (std::size_t i = 0; i < columns.size();) {
    const ScoreColumn& first = columns[i];
    const std::string_view rest = std::string_view(first.signature).substr(first.name.size());
    std::string names = first.name;
    for (++i; i < columns.size() && columns[i].signature == columns[i].name + std::string(rest); ++i) {
      names += ", " + columns[i].name;
    }
    const std::string scale =
        first.display_scale == 1.0 ? "" : fmt::format("  (shown x{})", first.display_scale);
    const std::string choices = short_signatures ? short_signature(std::string(rest)) : std::string(rest);
    out += fmt::format("{}{}{}{}\n", indent, names, choices, scale);
  }
  return out;
}

}  // namespace

Format format_by_name(std::string_view name) {
  const auto found = std::find(std::begin(kFormatNames), std::end(kFormatNames), name);
  if (found == std::end(kFormatNames)) throw UsageError(unknown_name_message("format", name, kFormatNames));
  return static_cast<Format>(found - std::begin(kFormatNames));
}

std::string format_result(const Result& result, Format format, bool short_signatures) {
  switch (format) {
    case Format::json:
      return json_result(result);
    case Format::csv:
      return to_csv(exact_table(result));
    case Format::markdown:
      return to_markdown(display_table(result)) + '\n' + footnotes(result, "- ", short_signatures);
    case Format::latex:
      return to_latex(display_table(result)) + footnotes(result, "% ", short_signatures);
    case Format::plain:
      return to_plain(plain_table(result));
    case Format::table:
      break;
  }
  return to_text(display_table(result)) + '\n' + footnotes(result, "", short_signatures);
}

std::string item_lines(const Result& result) {
  std::string out;
  for (std::size_t system = 0; system < result.systems.size(); ++system) {
    for (std::size_t item = 0; item < result.ids.size(); ++item) {
      Json scores = Json::object();
      for (std::size_t i = 0; i < result.columns.size(); ++i) {
        scores[result.columns[i].name] = json_number(result.item_value(system, item, i));
      }
      const Json line = {
          {"system", result.systems[system].name}, {"id", result.ids[item]}, {"scores", std::move(scores)}};
      out += dump(line, -1) + '\n';
    }
  }
  return out;
}

}  // namespace capella::report
