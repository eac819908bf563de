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
#include "pickling.h"
#include "report/result_report.h"
#include "words.h"

namespace capella::python {
namespace {

using ColumnTuple = std::tuple<std::string, double, double, std::string>;
using IntervalTuple = std::tuple<double, double>;
using SkippedTuple = std::tuple<std::string, std::string>;

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

void bind_result(nb::module_& module) {
  using namespace nb::literals;
  pickled(nb::class_<Result>(module, "Result"))
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
      .def("item_lines", [](const Result& result) { return report::item_lines(result); });
}

}  // namespace capella::python
