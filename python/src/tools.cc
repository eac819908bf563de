// The small jobs: tokens, the list of metrics, shipped values computed again, document frequencies.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "capella/pipeline.h"

#include "bindings.h"
#include "strings.h"

namespace capella::python {
namespace {

std::vector<std::string> tokenize_captions(nb::handle captions, const std::string& tokenizer,
                                           std::size_t threads) {
  const TextViews texts = TextViews::captions(captions);
  const nb::gil_scoped_release unlocked;
  return tokenize(texts.views(), tokenizer, threads);
}

using SettingTuple = std::tuple<std::string, std::string, std::string>;
using MetricTuple =
    std::tuple<std::string, std::string, std::vector<std::string>, std::vector<SettingTuple>, std::string>;

std::vector<MetricTuple> metric_tuples() {
  std::vector<MetricTuple> metrics;
  for (const MetricDescription& metric : list_metrics()) {
    std::vector<std::string> scores;
    for (const ScoreColumn& score : metric.scores) scores.push_back(score.name);
    std::vector<SettingTuple> settings;
    for (const auto& setting : metric.settings)
      settings.emplace_back(setting.key, setting.default_value, setting.help);
    metrics.emplace_back(metric.name, metric.summary, scores, settings, metric.data);
  }
  return metrics;
}

using ValueTuple = std::tuple<std::string, std::string, double, double, double, bool>;
using VerifiedTuple = std::tuple<std::string, std::string, double, std::string, std::vector<ValueTuple>>;

std::vector<VerifiedTuple> verified_tuples(std::size_t threads) {
  std::vector<VerifiedTuple> metrics;
  for (const VerifiedMetric& metric : verify(threads)) {
    std::vector<ValueTuple> values;
    for (const VerifiedValue& value : metric.values)
      values.emplace_back(value.item, value.score, value.expected, value.found, value.difference,
                          value.exact);
    metrics.emplace_back(metric.metric, metric.reference, metric.tolerance, metric.missing, values);
  }
  return metrics;
}

}  // namespace

void bind_tools(nb::module_& module) {
  using namespace nb::literals;
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  module.def("tokenize", tokenize_captions, "captions"_a, "tokenizer"_a, "threads"_a);
  module.def("metrics", metric_tuples);
  module.def("default_metrics", &default_metrics);
  module.def(
      "every_metric", [](const std::vector<std::string>& settings) { return every_metric(settings); },
      "settings"_a);
  module.def("available_metrics", &available_metrics, "tokenizer"_a = "ptb");
  module.def(
      "alias_notice", [](const std::string& name) { return alias_notice(name); }, "name"_a);
  module.def("verify", verified_tuples, "threads"_a, Unlocked());
  module.def("write_df", &write_document_frequencies, "dataset"_a, "tokenizer"_a, "path"_a, "threads"_a,
             Unlocked());
}

}  // namespace capella::python
