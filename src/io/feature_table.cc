#include "io/feature_table.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "base/names.h"
#include "io/benchmark_records.h"

namespace capella::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kKey = "capella_features";
constexpr int kVersion = 1;
constexpr std::string_view kRowsKey = "rows";
constexpr std::string_view kHashKey = "hash";
constexpr std::array<std::string_view, 3> kTargetNames = {"none", "human", "ratings"};

Json header_of(const FeatureTable& table) {
  Json columns = Json::array();
  for (const FeatureColumn& column : table.columns) {
    columns.push_back({{"score", column.score},
                       {"metric", column.metric},
                       {"settings", column.settings},
                       {"choices", column.choices}});
  }
  Json header = {{kKey, kVersion},
                 {"source", table.source},
                 {"tokenizer", table.tokenizer},
                 {"targets", kTargetNames[static_cast<std::size_t>(table.targets_are)]}};
  if (!table.made_of.empty()) header["made_of"] = table.made_of;
  if (!table.benchmark.empty()) {
    header["benchmark"] = table.benchmark;
    header["pairs"] = table.pairs;
    header["rows_each"] = table.rows_each;
  }
  header["columns"] = std::move(columns);
  return header;
}

Targets targets_by_name(const std::string& name) {
  const auto found = std::ranges::find(kTargetNames, name);
  if (found == kTargetNames.end())
    throw DataError(fmt::format("targets '{}', expected none, human or ratings", name));
  return static_cast<Targets>(found - kTargetNames.begin());
}

void read_columns(const Json& header, FeatureTable& table) {
  for (const Json& one : header.at("columns")) {
    FeatureColumn column;
    column.score = one.at("score").get<std::string>();
    column.metric = one.at("metric").get<std::string>();
    column.settings = one.at("settings").get<std::map<std::string, std::string>>();
    column.choices = one.at("choices").get<std::string>();
    if (std::ranges::find(table.columns, column.score, &FeatureColumn::score) != table.columns.end())
      throw DataError(fmt::format("two columns are named {}, expected each once", column.score));
    table.columns.push_back(std::move(column));
  }
  if (table.columns.empty()) throw DataError("no columns, expected one or more");
}

void read_header(const Json& header, FeatureTable& table) {
  if (const int version = header.at(kKey).get<int>(); version != kVersion)
    throw DataError(fmt::format("features of version {}, expected {}", version, kVersion));
  table.source = header.at("source").get<std::string>();
  table.tokenizer = header.at("tokenizer").get<std::string>();
  table.targets_are = targets_by_name(header.at("targets").get<std::string>());
  table.made_of = header.value("made_of", "");
  table.benchmark = header.value("benchmark", "");
  table.pairs = header.value("pairs", false);
  table.rows_each = header.value("rows_each", std::size_t{1});
  if (table.rows_each == 0 || table.rows_each > 100)
    throw DataError(fmt::format("rows_each is {}, expected 1 to 100", table.rows_each));
  read_columns(header, table);
}

void add_feature_row(const Record& record, FeatureTable& table) {
  const std::vector<double> values = record.numbers({"scores"});
  if (values.size() != table.columns.size()) {
    throw RowProblem{
        fmt::format("{} scores, expected {}, one per column", values.size(), table.columns.size())};
  }
  double target = 0;
  if (table.targets_are == Targets::human) {
    target = static_cast<double>(record.whole({"target"}, 2));
  } else if (table.targets_are == Targets::ratings) {
    target = record.number({"target"});
  }
  table.ids.push_back(record.id({"id"}));
  table.images.push_back(record.id({"image"}));
  table.systems.push_back(record.id({"system"}));
  table.lengths.push_back(record.whole({"words"}, 1'000'000'000));
  if (table.targets_are != Targets::none) table.targets.push_back(target);
  table.values.insert(table.values.end(), values.begin(), values.end());
}

std::string hash_of(std::string_view rows) {
  return fmt::format("{:016x}", hash_bytes(rows));
}

// What the header says of the rows must be true: a file that was cut short or altered is not what was made.
// Files of other programs need not say anything.
void check_rows(const Json& header, std::string_view rows, const FeatureTable& table) {
  const std::string remedy = "make it again with `capella composite features`";
  if (table.rows() == 0) throw DataError(fmt::format("{}: a header and no rows", table.name));
  if (const auto told = header.find(kRowsKey); told != header.end() && *told != table.rows())
    throw DataError(fmt::format("{}: {} rows, but its header says {}; {}", table.name, table.rows(),
                                told->dump(), remedy));
  if (const auto told = header.find(kHashKey); told != header.end() && *told != hash_of(rows))
    throw DataError(fmt::format("{}: its rows were changed after it was made; {}", table.name, remedy));
}

}  // namespace

std::size_t FeatureTable::column(std::string_view score) const {
  std::vector<std::string_view> names;
  for (const FeatureColumn& column : columns) names.push_back(column.score);
  const auto found = std::ranges::find(names, score);
  if (found == names.end())
    throw DataError(fmt::format("{}: {}", name, unknown_name_message("column", score, names)));
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<double> FeatureTable::column_values(std::size_t column) const {
  std::vector<double> all;
  all.reserve(rows());
  for (std::size_t k = 0; k < rows(); ++k) all.push_back(values[k * columns.size() + column]);
  return all;
}

FeatureTable read_features(const std::string& path) {
  const Source source = open_records(path, "features");
  FeatureTable table;
  table.name = source.name;
  const std::string_view first = source.content.substr(0, source.content.find('\n'));
  const Json header = Json::parse(first, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object() || !header.contains(kKey)) {
    throw DataError(fmt::format(
        "{}:1: expected the header of a file of features; make one with `capella composite features`",
        source.name));
  }
  try {
    read_header(header, table);
  } catch (const Json::exception& problem) {
    throw DataError(fmt::format("{}:1: the header is damaged: {}", source.name, problem.what()));
  } catch (const DataError& problem) {
    throw DataError(fmt::format("{}:1: {}", source.name, problem.what()));
  }
  bool in_header = true;
  for_each_record(source, [&](const Record& record) {
    if (!std::exchange(in_header, false)) add_feature_row(record, table);
  });
  check_rows(header, source.content.substr(std::min(first.size() + 1, source.content.size())), table);
  return table;
}

void write_features(const std::string& path, const FeatureTable& table) {
  const auto text = [](const Json& json) { return json_text(json) + "\n"; };
  std::string rows;
  for (std::size_t k = 0; k < table.rows(); ++k) {
    Json row = {{"id", table.ids[k]},
                {"image", table.images[k]},
                {"system", table.systems[k]},
                {"words", table.lengths[k]}};
    if (table.targets_are == Targets::human) row["target"] = static_cast<int>(table.targets[k]);
    if (table.targets_are == Targets::ratings) row["target"] = table.targets[k];
    row["scores"] = table.row(k);
    rows += text(row);
  }
  Json header = header_of(table);
  header[kRowsKey] = table.rows();
  header[kHashKey] = hash_of(rows);
  write_file_atomically(path, text(header) + rows);
}

}  // namespace capella::io
