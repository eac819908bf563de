// Is it more than chance? Systems compared, metrics held against human judgement, coefficients and tests.
#include <span>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "capella/compare.h"
#include "capella/error.h"
#include "capella/meta.h"

#include "base/file.h"
#include "bindings.h"
#include "pickling.h"
#include "report/comparison_report.h"
#include "report/meta_report.h"
#include "report/result_report.h"
#include "stats/correlation.h"
#include "stats/paired_tests.h"
#include "words.h"

namespace capella::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ReadOnly = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;
using Unlocked = nb::call_guard<nb::gil_scoped_release>;

std::span<const double> view(const Numbers& numbers) {
  return {numbers.data(), numbers.size()};
}

// As the package's Difference has them.
using DifferenceTuple = std::tuple<std::string, std::string, std::string, double, double, double, double,
                                   double, std::optional<double>, double, std::optional<bool>>;

std::vector<DifferenceTuple> differences_of(const Comparison& comparison) {
  const Result& result = comparison.result;
  std::vector<DifferenceTuple> differences;
  for (const Difference& one : comparison.differences) {
    const bool resampled = comparison.test == "bootstrap";
    differences.emplace_back(
        result.systems[one.first].name, result.systems[one.second].name, result.columns[one.column].name,
        one.value, one.interval.low, one.interval.high, one.p, one.p_corrected,
        resampled ? std::optional(one.p_sacrebleu) : std::nullopt, one.effect,
        one.verdict == Verdict::undecided ? std::nullopt : std::optional(one.verdict == Verdict::real));
  }
  return differences;
}

void bind_comparison(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<CompareOptions>(module, "CompareOptions")
      .def(
          "__init__",
          [](CompareOptions* self, std::string test, std::string baseline,
             std::optional<std::size_t> resamples, std::uint64_t seed) {
            const CompareOptions options{std::move(test), std::move(baseline), resamples, seed};
            check_options(options);
            new (self) CompareOptions(options);
          },
          "test"_a, "baseline"_a, "resamples"_a.none(), "seed"_a);
  pickled(nb::class_<Comparison>(module, "Comparison"))
      .def_ro("result", &Comparison::result)
      .def_ro("test", &Comparison::test)
      .def_ro("exact", &Comparison::exact)
      .def_prop_ro("differences", differences_of)
      .def_prop_ro("sentences", &report::comparison_sentences)
      .def(
          "format",
          [](const Comparison& comparison, const std::string& name, std::size_t width) {
            const report::Format format = report::format_by_name(name, width);
            return report::fit(report::format_comparison(comparison, format), format);
          },
          "format"_a, "width"_a = 0);
  module.def("compare", &compare, "dataset"_a, "options"_a, "comparing"_a, Unlocked());
}

void make_meta_options(MetaOptions* self, std::string benchmark, std::string path, std::string references,
                       std::optional<std::size_t> resamples, std::uint64_t seed, std::size_t cases,
                       bool as_published, std::vector<std::string> without) {
  MetaOptions options;
  options.benchmark = std::move(benchmark);
  options.path = std::move(path);
  options.references = std::move(references);
  options.resamples = resamples;
  options.seed = seed;
  options.cases = cases;
  options.as_published = as_published;
  options.without = std::move(without);
  check_benchmark_name(options.benchmark);
  new (self) MetaOptions(std::move(options));
}

using EstimateTuple = std::tuple<double, double, double>;
using AgreementTuple = std::tuple<std::string, std::string, std::vector<EstimateTuple>, std::vector<double>,
                                  std::vector<std::size_t>, std::optional<double>>;

std::vector<AgreementTuple> agreements_of(const MetaResult& result) {
  std::vector<AgreementTuple> agreements;
  for (const Agreement& one : result.metrics) {
    std::vector<EstimateTuple> estimates;
    for (const Estimate& estimate : one.estimates)
      estimates.emplace_back(estimate.value, estimate.interval.low, estimate.interval.high);
    agreements.emplace_back(one.metric, one.signature, std::move(estimates), one.p_values, one.ties,
                            one.milliseconds);
  }
  return agreements;
}

// Arrays keep the result alive.
ReadOnly ratings_of(nb::handle self) {
  const auto& result = nb::cast<const MetaResult&>(self);
  return ReadOnly(result.ratings.data(), {result.ratings.size()}, self);
}

ReadOnly values_of(nb::handle self, std::size_t metric) {
  const auto& result = nb::cast<const MetaResult&>(self);
  if (metric >= result.values.size()) throw nb::index_error("no such metric");
  return ReadOnly(result.values[metric].data(), {result.values[metric].size()}, self);
}

std::vector<std::tuple<std::string, std::string>> pictures_of(const MetaResult& result, bool published) {
  std::vector<std::tuple<std::string, std::string>> pictures;
  for (NamedContent& picture : report::draw_meta(result, published))
    pictures.emplace_back(std::move(picture.name), std::move(picture.content));
  return pictures;
}

// Returns the paths.
std::vector<std::string> write_pictures(const MetaResult& result, const std::string& folder, bool published) {
  return write_into_folder(folder, report::draw_meta(result, published));
}

void bind_meta(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<MetaOptions>(module, "MetaOptions")
      .def("__init__", make_meta_options, "benchmark"_a, "path"_a, "references"_a, "resamples"_a.none(),
           "seed"_a, "cases"_a, "as_published"_a, "without"_a)
      .def_rw("score", &MetaOptions::score)
      .def_rw("images", &MetaOptions::images)
      .def(
          "add_file",
          [](MetaOptions& options, const std::string& name, const std::string& path) {
            options.scores.push_back(fmt::format("{}={}", name, path));
          },
          "name"_a, "path"_a)
      .def(
          "add_given",
          [](MetaOptions& options, std::string name, const Numbers& values) {
            options.given.push_back({std::move(name), {view(values).begin(), view(values).end()}});
          },
          "name"_a, "values"_a);
  pickled(nb::class_<MetaResult>(module, "MetaResult"))
      .def_ro("benchmark", &MetaResult::benchmark)
      .def_ro("title", &MetaResult::title)
      .def_ro("version", &MetaResult::version)
      .def_ro("rows", &MetaResult::rows)
      .def_ro("pairs", &MetaResult::pairs)
      .def_ro("measures", &MetaResult::measures)
      .def_ro("notes", &MetaResult::notes)
      .def_prop_ro("warnings", [](const MetaResult& result) { return in_python_words(result.warnings); })
      .def_prop_ro("agreements", agreements_of)
      .def_prop_ro("sentences", &report::agreement_sentences)
      .def_prop_ro("ratings", ratings_of)
      .def("values", values_of, "metric"_a)
      .def(
          "format",
          [](const MetaResult& result, const std::string& name, bool published, std::size_t width) {
            const report::Format format = report::format_by_name(name, width);
            return report::fit(report::format_meta(result, format, published), format);
          },
          "format"_a, "published"_a, "width"_a = 0)
      .def("pictures", pictures_of, "published"_a, Unlocked())
      .def("write_pictures", write_pictures, "folder"_a, "published"_a, Unlocked());
  module.def("benchmark_dataset", &benchmark_dataset, "options"_a, Unlocked());
  module.def("evaluate_metrics", &evaluate_metrics, "options"_a, Unlocked());
}

void check_lengths(const Numbers& x, const Numbers& y) {
  if (x.size() != y.size())
    throw UsageError(fmt::format("x has {} values and y {}, expected as many", x.size(), y.size()));
}

using CoefficientTuple = std::tuple<double, double>;

std::tuple<double, double, double> kendall(const Numbers& x, const Numbers& y) {
  check_lengths(x, y);
  const stats::KendallResult found = stats::kendall(view(x), view(y));
  return {found.tau_b, found.tau_c, found.p};
}

template <stats::Coefficient (*coefficient)(std::span<const double>, std::span<const double>)>
CoefficientTuple correlate(const Numbers& x, const Numbers& y) {
  check_lengths(x, y);
  const auto [value, p] = coefficient(view(x), view(y));
  return {value, p};
}

CoefficientTuple williams(double r12, double r13, double r23, std::size_t rows) {
  const auto [t, p] = stats::williams(r12, r13, r23, rows);
  return {t, p};
}

void bind_numbers(nb::module_& module) {
  using namespace nb::literals;
  module.def("kendall", kendall, "x"_a, "y"_a, Unlocked());
  module.def("pearson", correlate<stats::pearson>, "x"_a, "y"_a, Unlocked());
  module.def("spearman", correlate<stats::spearman>, "x"_a, "y"_a, Unlocked());
  module.def("williams", williams, "r12"_a, "r13"_a, "r23"_a, "rows"_a);
  module.def(
      "holm", [](const Numbers& p_values) { return stats::holm(view(p_values)); }, "p_values"_a);
}

}  // namespace

void bind_statistics(nb::module_& module) {
  bind_comparison(module);
  bind_meta(module);
  bind_numbers(module);
}

}  // namespace capella::python
