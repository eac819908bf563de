// A run's result: plain data for the package's Result class, the report's formats, and pickling.
#include "capella/result.h"

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "capella/error.h"

#include "bindings.h"
#include "intervals.h"
#include "report/result_report.h"
#include "words.h"

namespace capella::python {
namespace {

using ColumnTuple = std::tuple<std::string, double, double, std::string>;
using ColumnState = std::tuple<std::string, double, double, std::string, bool>;
using IntervalTuple = std::tuple<double, double>;
using IntervalState = std::tuple<std::size_t, std::uint64_t, std::string>;
using SystemState =
    std::tuple<std::string, std::vector<double>, std::vector<double>, std::vector<IntervalTuple>>;
using SkippedTuple = std::tuple<std::string, std::string>;
using State = std::tuple<std::vector<ColumnState>, std::vector<std::string>, std::vector<SystemState>,
                         std::vector<SkippedTuple>, std::vector<std::string>, std::optional<IntervalState>>;

std::vector<ColumnTuple> columns_of(const Result& result) {
  std::vector<ColumnTuple> columns;
  for (const ScoreColumn& column : result.columns) {
    columns.emplace_back(column.name, column.high, column.display_scale, column.signature);
  }
  return columns;
}

std::vector<SkippedTuple> skipped_of(const Result& result) {
  std::vector<SkippedTuple> skipped;
  for (const Skipped& row : result.skipped) skipped.emplace_back(row.id, row.why);
  return skipped;
}

std::vector<IntervalTuple> intervals_of(const SystemResult& system) {
  std::vector<IntervalTuple> intervals;
  for (const Interval& interval : system.intervals) intervals.emplace_back(interval.low, interval.high);
  return intervals;
}

State state_of(const Result& result) {
  std::vector<ColumnState> columns;
  for (const ScoreColumn& column : result.columns) {
    columns.emplace_back(column.name, column.high, column.display_scale, column.signature, column.in_tables);
  }
  std::vector<SystemState> systems;
  for (const SystemResult& system : result.systems)
    systems.emplace_back(system.name, system.values, system.item_values, intervals_of(system));
  std::optional<IntervalState> how;
  if (result.intervals) {
    const auto& [resamples, seed, method] = *result.intervals;
    how.emplace(resamples, seed, interval_method_name(method));
  }
  return {columns, result.ids, systems, skipped_of(result), result.warnings, how};
}

Result from_state(const State& state) {
  const auto& [columns, ids, systems, skipped, warnings, how] = state;
  Result result;
  for (const auto& [name, high, scale, signature, in_tables] : columns)
    result.columns.push_back({name, high, scale, signature, in_tables});
  result.ids = ids;
  for (const auto& [name, values, item_values, intervals] : systems) {
    SystemResult& system = result.systems.emplace_back(SystemResult{name, values, item_values});
    for (const auto& [low, high] : intervals) system.intervals.push_back({low, high});
  }
  for (const auto& [id, why] : skipped) result.skipped.push_back({id, why});
  result.warnings = warnings;
  if (how) {
    const auto& [resamples, seed, method] = *how;
    result.intervals = IntervalOptions{resamples, seed, interval_method(method)};
  }
  return result;
}

const SystemResult& system_at(const Result& result, std::size_t system) {
  if (system >= result.systems.size()) throw nb::index_error("no such system");
  return result.systems[system];
}

using Matrix = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;

// Items by columns, read-only; the array keeps the result alive.
Matrix item_values(nb::handle self, std::size_t system) {
  const auto& result = nb::cast<const Result&>(self);
  return Matrix(system_at(result, system).item_values.data(), {result.ids.size(), result.columns.size()},
                self);
}

}  // namespace

IntervalMethod interval_method(const std::string& name) {
  if (name == "percentile") return IntervalMethod::percentile;
  if (name == "bca") return IntervalMethod::bca;
  throw UsageError(fmt::format("ci_method: found '{}', expected 'percentile' or 'bca'", name));
}

std::string interval_method_name(IntervalMethod method) {
  return method == IntervalMethod::bca ? "bca" : "percentile";
}

void bind_result(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Result>(module, "Result")
      .def_prop_ro("columns", columns_of)
      .def_prop_ro("ids", [](const Result& result) { return result.ids; })
      .def_prop_ro("systems",
                   [](const Result& result) {
                     std::vector<std::string> names;
                     for (const SystemResult& system : result.systems) names.push_back(system.name);
                     return names;
                   })
      .def_prop_ro("skipped", skipped_of)
      .def_prop_ro("warnings", [](const Result& result) { return in_python_words(result.warnings); })
      .def(
          "values", [](const Result& result, std::size_t system) { return system_at(result, system).values; },
          "system"_a)
      .def(
          "intervals",
          [](const Result& result, std::size_t system) { return intervals_of(system_at(result, system)); },
          "system"_a)
      .def("item_values", item_values, "system"_a)
      .def(
          "format",
          [](const Result& result, const std::string& name, bool short_signatures, std::size_t width) {
            const report::Format format = report::format_by_name(name, width);
            return report::fit(report::format_result(result, format, short_signatures), format);
          },
          "format"_a, "short_signatures"_a = false, "width"_a = 0)
      .def("item_lines", [](const Result& result) { return report::item_lines(result); })
      .def("__getstate__", state_of)
      .def("__setstate__", [](Result& self, const State& state) { new (&self) Result(from_state(state)); });
}

}  // namespace capella::python
