#include "io/stratum_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "base/python_float.h"
#include "io/source.h"
#include "io/text_lines.h"

namespace capella::io {
namespace {

constexpr std::array<std::string_view, 5> kKeys = {"dataset", "architecture", "run", "num_strata", "stratum"};
constexpr std::string_view kRemedy = "make the file with `capella pregen strata`";

/// What is wrong with a line; whoever reads the lines adds where it is.
struct LineProblem {
  std::string what;
};

/// Which file and line a stratum stands in.
struct Place {
  std::string file;
  std::size_t line;
};
using StratumKey = std::tuple<std::string, std::string, std::string, std::size_t, std::size_t>;
using Places = std::map<StratumKey, Place>;

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

// Four words joined by underscores, of which the last tells how words are chosen.
bool is_metric(std::string_view name) {
  if (std::ranges::count(name, '_') != 3) return false;
  return name.ends_with("_none") || name.ends_with("_filter0") || name.ends_with("_prefix0");
}

// Counts that are added, or of which the largest or smallest is taken, stay whole numbers, and Python writes
// them without a point.
bool is_whole(std::string_view metric) {
  const std::vector<std::string_view> tiers = split_list(metric, '_');
  const auto keeps = [](std::string_view tier) {
    return tier == "sum" || tier == "max" || tier == "min" || tier == "join";
  };
  return tiers.size() == 4 && tiers[2] == "count" && keeps(tiers[0]) && keeps(tiers[1]);
}

std::string written(double value, bool whole) {
  constexpr double kExact = 9007199254740992;  // up to here every whole number is a double
  if (whole && std::trunc(value) == value && std::abs(value) <= kExact) return fmt::format("{:.0f}", value);
  return python_float(value);
}

void check_keys(const std::vector<std::string_view>& cells) {
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    if (i >= cells.size() || cells[i] != kKeys[i])
      throw LineProblem{fmt::format("column {} is {}, expected the columns {} first; {}", i + 1,
                                    i < cells.size() ? "'" + excerpt(cells[i]) + "'" : "not there",
                                    fmt::join(kKeys, ", "), kRemedy)};
  }
}

void read_header(std::string_view line, StratumTable& table) {
  const std::vector<std::string_view> cells = cells_of(line);
  check_keys(cells);
  std::set<std::string_view> seen(kKeys.begin(), kKeys.end());
  for (const std::string_view cell : std::span(cells).subspan(kKeys.size())) {
    if (is_blank(cell) || cell.find('\r') != std::string_view::npos)
      throw LineProblem{fmt::format("a column is named '{}', expected a name; {}", excerpt(cell), kRemedy)};
    if (!seen.insert(cell).second)
      throw LineProblem{fmt::format("two columns are named {}, expected each once", excerpt(cell))};
    if (is_metric(cell)) {
      table.pre.emplace_back(cell);
    } else if (table.pre.empty()) {
      table.post.emplace_back(cell);
    } else {
      throw LineProblem{
          fmt::format("column {} follows pre-gen metrics, expected a name of four tiers such as "
                      "mean_max_normcount_prefix0",
                      excerpt(cell))};
    }
  }
  if (table.post.empty() && table.pre.empty())
    throw LineProblem{"no scores and no metrics, expected one column or more of them"};
}

std::size_t whole_number(std::string_view cell, std::string_view column) {
  std::size_t value = 0;
  const auto [stop, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (problem != std::errc{} || stop != cell.data() + cell.size())
    throw LineProblem{fmt::format("{} is '{}', expected a whole number", column, excerpt(cell))};
  return value;
}

double real_number(std::string_view cell, std::string_view column) {
  double value = 0;
  const auto [stop, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (problem != std::errc{} || stop != cell.data() + cell.size())
    throw LineProblem{fmt::format("{} is '{}', expected a number", column, excerpt(cell))};
  return value;
}

std::string name_of(std::string_view cell, std::string_view column) {
  if (is_blank(cell)) throw LineProblem{fmt::format("{} is empty, expected a name", column)};
  return std::string(cell);
}

StratumRow read_row(std::string_view line, const StratumTable& table) {
  const std::vector<std::string_view> cells = cells_of(line);
  const std::size_t columns = kKeys.size() + table.post.size() + table.pre.size();
  if (cells.size() != columns)
    throw LineProblem{fmt::format(
        "{} columns, expected {} as in the header; the row is {}, correct the file or make it again",
        cells.size(), columns, cells.size() < columns ? "cut short" : "too long")};
  StratumRow row;
  row.dataset = name_of(cells[0], kKeys[0]);
  row.architecture = name_of(cells[1], kKeys[1]);
  row.run = name_of(cells[2], kKeys[2]);
  row.strata = whole_number(cells[3], kKeys[3]);
  row.stratum = whole_number(cells[4], kKeys[4]);
  if (row.stratum >= row.strata)
    throw LineProblem{
        fmt::format("stratum {} of {}, expected 0 to one less than their number", row.stratum, row.strata)};
  std::size_t at = kKeys.size();
  for (const std::string& name : table.post) row.post.push_back(real_number(cells[at++], name));
  for (const std::string& name : table.pre) row.pre.push_back(real_number(cells[at++], name));
  return row;
}

// A stratum that came twice would count twice.
void note_place(const StratumRow& row, const Place& place, Places& places) {
  const auto [found, is_new] =
      places.emplace(StratumKey{row.dataset, row.architecture, row.run, row.strata, row.stratum}, place);
  if (!is_new)
    throw LineProblem{fmt::format("{} {} {}, stratum {} of {} was there before ({}:{}), expected each once",
                                  row.dataset, row.architecture, row.run, row.stratum, row.strata,
                                  found->second.file, found->second.line)};
}

StratumTable read_one(const std::string& path, Places& places) {
  const Source source = open_source(path, read_file(path), "the strata of a pre-gen study");
  StratumTable table;
  table.name = source.name;
  bool in_header = true;
  for_each_line(source.content, [&](std::string_view line, std::size_t number) {
    if (line.empty()) return;
    try {
      if (std::exchange(in_header, false)) return read_header(line, table);
      StratumRow row = read_row(line, table);
      note_place(row, {source.name, number}, places);
      table.rows.push_back(std::move(row));
    } catch (const LineProblem& problem) {
      throw DataError(fmt::format("{}:{}: {}", source.name, number, problem.what));
    }
  });
  if (table.rows.empty())
    throw DataError(
        fmt::format("{}: a header and no rows, expected one row per stratum; {}", source.name, kRemedy));
  return table;
}

// The first column that differs, for the message.
void check_columns(const StratumTable& first, const StratumTable& next) {
  const auto names = [](const StratumTable& table) {
    std::vector<std::string> all = table.post;
    all.insert(all.end(), table.pre.begin(), table.pre.end());
    return all;
  };
  const std::vector<std::string> expected = names(first);
  const std::vector<std::string> found = names(next);
  if (found == expected) return;
  const auto [a, b] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  throw DataError(
      fmt::format("{}:1: column {} is {}, expected {} as in {}; files that are read together have the "
                  "same columns",
                  next.name, kKeys.size() + static_cast<std::size_t>(b - found.begin()) + 1,
                  b == found.end() ? "not there" : excerpt(*b), a == expected.end() ? "no more" : excerpt(*a),
                  first.name));
}

}  // namespace

std::vector<std::string> StratumTable::datasets() const {
  std::vector<std::string> names;
  for (const StratumRow& row : rows) {
    if (std::ranges::find(names, row.dataset) == names.end()) names.push_back(row.dataset);
  }
  return names;
}

std::vector<double> StratumTable::post_column(std::size_t column) const {
  std::vector<double> values;
  for (const StratumRow& row : rows) values.push_back(row.post.at(column));
  return values;
}

std::vector<double> StratumTable::pre_column(std::size_t column) const {
  std::vector<double> values;
  for (const StratumRow& row : rows) values.push_back(row.pre.at(column));
  return values;
}

StratumTable read_strata(const std::string& path) {
  Places places;
  return read_one(path, places);
}

StratumTable read_strata(const std::vector<std::string>& paths) {
  if (paths.empty()) throw UsageError("no file of strata; give one or more");
  Places places;
  StratumTable all = read_one(paths[0], places);
  for (std::size_t i = 1; i < paths.size(); ++i) {
    StratumTable next = read_one(paths[i], places);
    check_columns(all, next);
    std::ranges::move(next.rows, std::back_inserter(all.rows));
  }
  all.name = fmt::format("{}", fmt::join(paths, ", "));
  return all;
}

std::string strata_text(const StratumTable& table) {
  std::string text = fmt::format("{}", fmt::join(kKeys, "\t"));
  for (const std::string& name : table.post) text += '\t' + name;
  for (const std::string& name : table.pre) text += '\t' + name;
  text += '\n';
  std::vector<bool> whole;
  for (const std::string& name : table.pre) whole.push_back(is_whole(name));
  for (const StratumRow& row : table.rows) {
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}", row.dataset, row.architecture, row.run, row.strata, row.stratum);
    for (const double value : row.post) text += '\t' + python_float(value);
    for (std::size_t i = 0; i < row.pre.size(); ++i) text += '\t' + written(row.pre[i], whole[i]);
    text += '\n';
  }
  return text;
}

}  // namespace capella::io
