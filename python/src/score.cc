// Jobs on a data set: scores, statistics of shards and parts, explanations. All run without the GIL.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "capella/pipeline.h"

#include "bindings.h"
#include "intervals.h"
#include "pickling.h"
#include "report/explanation_report.h"
#include "words.h"

namespace capella::python {
namespace {

nb::bytes to_bytes(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

nb::bytes shard_rows(const Dataset& dataset, const ScoreOptions& options, std::size_t index,
                     std::size_t count) {
  std::string statistics;
  {
    const nb::gil_scoped_release unlocked;
    statistics = shard_statistics(dataset, options, {index, count});
  }
  return to_bytes(statistics);
}

nb::bytes part_rows(const Dataset& dataset, const ScoreOptions& options) {
  std::string statistics;
  {
    const nb::gil_scoped_release unlocked;
    statistics = part_statistics(dataset, options);
  }
  return to_bytes(statistics);
}

Result merge(const std::vector<nb::bytes>& statistics, const std::vector<std::string>& names,
             const ScoreOptions& options) {
  std::vector<std::string> blocks;
  for (const nb::bytes& block : statistics) blocks.emplace_back(block.c_str(), block.size());
  const nb::gil_scoped_release unlocked;
  return merge_statistics(blocks, names, options);
}

using TableTuple = std::tuple<std::string, std::vector<std::string>, std::vector<std::vector<std::string>>>;

std::vector<TableTuple> tables_of(const Explanation& explanation) {
  std::vector<TableTuple> tables;
  for (const Explanation::Table& table : explanation.tables)
    tables.emplace_back(table.title, table.columns, table.rows);
  return tables;
}

// The explanations, and warnings.
std::tuple<std::vector<Explanation>, std::vector<std::string>> explain_item(const Dataset& dataset,
                                                                            const std::string& id,
                                                                            const ScoreOptions& options) {
  Explanations found = explain(dataset, id, options);
  for (Explanation& explanation : found.by_metric) {
    for (std::string& line : explanation.summary) line = in_python_words(std::move(line));
  }
  return {std::move(found.by_metric), in_python_words(std::move(found.warnings))};
}

std::string text_of_explanation(const Explanation& explanation) {
  return report::format_explanations({explanation}, report::Format::table);
}

std::optional<std::string> picture_of(const Explanation& explanation) {
  if (explanation.alignments.empty()) return std::nullopt;
  return report::draw_explanations({explanation});
}

void bind_options(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<ScoreOptions>(module, "Options")
      .def(
          "__init__",
          [](ScoreOptions* self, std::vector<std::string> metrics, std::string tokenizer, std::string df,
             std::vector<std::string> settings, std::size_t threads, std::string cache, bool detail,
             std::string device) {
            new (self) ScoreOptions{std::move(metrics),
                                    std::move(tokenizer),
                                    std::move(df),
                                    std::move(settings),
                                    {},
                                    threads,
                                    {},
                                    std::move(cache),
                                    detail,
                                    {}};
            self->device = std::move(device);
          },
          "metrics"_a, "tokenizer"_a = "ptb", "df"_a = "refs", "settings"_a = std::vector<std::string>(),
          "threads"_a = 0, "cache"_a = "", "detail"_a = false, "device"_a = "cpu")
      .def(
          "add_given",
          [](ScoreOptions& options, std::string name, std::vector<std::vector<double>> values) {
            options.given.push_back({std::move(name), std::move(values)});
          },
          "name"_a, "values"_a)
      .def(
          "set_intervals",
          [](ScoreOptions& options, std::size_t resamples, std::uint64_t seed, const std::string& method) {
            options.intervals = IntervalOptions{resamples, seed, interval_method(method)};
          },
          "resamples"_a, "seed"_a, "method"_a)
      .def("check", [](const ScoreOptions& options) {
        if (!options.metrics.empty()) check_options(options);
      });
}

}  // namespace

void bind_score(nb::module_& module) {
  using namespace nb::literals;
  bind_options(module);
  pickled(nb::class_<Explanation>(module, "Explanation"))
      .def_prop_ro("metric", [](const Explanation& explanation) { return explanation.metric; })
      .def_prop_ro("summary", [](const Explanation& explanation) { return explanation.summary; })
      .def_prop_ro("tables", tables_of)
      .def("svg", picture_of)
      .def("_repr_svg_", picture_of)
      .def("__str__", text_of_explanation)
      .def("__repr__", [](const Explanation& explanation) {
        return "<capella.Explanation of " + explanation.metric + ">";
      });
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  module.def("score", &score, "dataset"_a, "options"_a, Unlocked());
  module.def("shard_rows", shard_rows, "dataset"_a, "options"_a, "index"_a, "count"_a);
  module.def("part_rows", part_rows, "dataset"_a, "options"_a);
  module.def("merge", merge, "statistics"_a, "names"_a, "options"_a);
  module.def("explain", explain_item, "dataset"_a, "id"_a, "options"_a, Unlocked());
}

}  // namespace capella::python
