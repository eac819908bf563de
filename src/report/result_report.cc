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
#include "report/signature_lines.h"
#include "report/table.h"

namespace capella::report {

Json result_json(const Result& result) {
  Json systems = Json::array();
  for (const SystemResult& system : result.systems) {
    Json scores = Json::object();
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      Json score = {{"value", json_number(system.values[i])}};
      if (result.intervals) {
        score["low"] = json_number(system.intervals[i].low);
        score["high"] = json_number(system.intervals[i].high);
      }
      score["signature"] = result.columns[i].signature;
      scores[result.columns[i].name] = std::move(score);
    }
    systems.push_back({{"system", system.name}, {"scores", std::move(scores)}});
  }
  Json skipped = Json::array();
  for (const Skipped& row : result.skipped) skipped.push_back({{"id", row.id}, {"why", row.why}});
  return {{"capella", kVersion},
          {"items", result.ids.size()},
          {"systems", std::move(systems)},
          {"skipped", std::move(skipped)}};
}

namespace {

// A score may be no number: a category of SPICE that the references have nothing of.
std::string display(double value, double scale) {
  return std::isnan(value) ? "-" : fmt::format("{:.2f}", value * scale);
}

// " ±0.71": half the interval's width.
std::string half_width(const Interval& interval, double scale) {
  const double half = (interval.high - interval.low) / 2;
  return std::isnan(half) ? "" : fmt::format(" ±{:.2f}", half * scale);
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
      std::string text = display(system.values[i], result.columns[i].display_scale);
      if (result.intervals) text += half_width(system.intervals[i], result.columns[i].display_scale);
      row.push_back({std::move(text), marked});
    }
  }
  return table;
}

// The value in full precision, with the ends of its interval if there is one.
void append_exact(const Result& result, const SystemResult& system, std::size_t column,
                  std::vector<Table::Cell>& row) {
  row.push_back({fmt::format("{}", system.values[column])});
  if (!result.intervals) return;
  row.push_back({fmt::format("{}", system.intervals[column].low)});
  row.push_back({fmt::format("{}", system.intervals[column].high)});
}

Table exact_table(const Result& result) {
  Table table{{"system"}, {}, 1};
  for (const ScoreColumn& column : result.columns) {
    table.columns.push_back(column.name);
    if (result.intervals) {
      table.columns.push_back(column.name + " low");
      table.columns.push_back(column.name + " high");
    }
  }
  for (const SystemResult& system : result.systems) {
    auto& row = table.rows.emplace_back();
    row.push_back({system.name});
    for (std::size_t i = 0; i < result.columns.size(); ++i) append_exact(result, system, i, row);
  }
  return table;
}

Table plain_table(const Result& result) {
  Table table;
  for (const SystemResult& system : result.systems) {
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      auto& row = table.rows.emplace_back();
      row = {{system.name}, {result.columns[i].name}};
      append_exact(result, system, i, row);
    }
  }
  return table;
}

// How many items, on which scale, and the signature of every score; scores that differ in name alone share a
// line.
std::string footnotes(const Result& result, std::string_view indent, bool short_signatures) {
  std::string out =
      fmt::format("{}{} item{}\n", indent, result.ids.size(), result.ids.size() == 1 ? "" : "s");
  if (result.intervals) {
    out += fmt::format("{}± half of the 95 % interval ({}, {} resamples, seed {})\n", indent,
                       result.intervals->method == IntervalMethod::bca ? "bootstrap, BCa" : "bootstrap",
                       result.intervals->resamples, result.intervals->seed);
  }
  std::vector<SignedScore> scores;
  for (const ScoreColumn& column : result.columns) {
    if (column.in_tables) scores.push_back({column.name, column.signature, column.display_scale});
  }
  for (const std::string& line : signature_lines(scores, short_signatures))
    out += fmt::format("{}{}\n", indent, line);
  return out;
}

}  // namespace

std::string format_result(const Result& result, Format format, bool short_signatures) {
  switch (format) {
    case Format::json:
      return dump(result_json(result), 2) + '\n';
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
  return to_text(display_table(result), format.width) + '\n' + footnotes(result, "", short_signatures);
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
