#include "pipeline/registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/ascii.h"
#include "base/names.h"
#include "metric/given.h"
#include "pipeline/prepared_run.h"

namespace capella {
namespace pipeline {
namespace {

const metric::Entry& entry_of(std::string_view name) {
  const auto entries = registry();
  const auto found =
      std::find_if(entries.begin(), entries.end(), [name](const auto& entry) { return entry.name == name; });
  if (found != entries.end()) return *found;
  std::vector<std::string_view> names;
  for (const metric::Entry& entry : entries) names.push_back(entry.name);
  throw UsageError(unknown_name_message("metric", name, names));
}

// Why captions cannot be parsed; empty if they can.
std::string parser_problem() {
  try {
    open_parser();
    return "";
  } catch (const FileError& problem) {
    return problem.what();
  }
}

// Whether the metric or one it builds on parses captions.
bool parses(const metric::Info& info) {
  return info.parses || std::ranges::any_of(info.builds_on, [](const std::string& name) {
           return make_metric(name, {})->info().parses;
         });
}

}  // namespace

std::span<const metric::Entry> registry() {
  return metric::all_metrics();
}

SettingsByMetric parse_settings(std::span<const std::string> words) {
  SettingsByMetric settings;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::size_t dot = word.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
      throw UsageError(
          fmt::format("--set: found '{}', expected METRIC.KEY=VALUE, e.g. cider-d.sigma=6", word));
    }
    settings[canonical_name(word.substr(0, dot))][word.substr(dot + 1, equals - dot - 1)] =
        word.substr(equals + 1);
  }
  return settings;
}

std::string canonical_name(std::string_view name) {
  const std::string lower = lowered_ascii(name);
  return std::string(entry_of(lower == "cider" ? "cider-d" : lower).name);
}

std::unique_ptr<metric::Metric> make_metric(const std::string& name,
                                            const std::map<std::string, std::string>& values) {
  if (name.starts_with(metric::kGivenPrefix))
    return metric::make_given(name.substr(metric::kGivenPrefix.size()));
  const metric::Entry& entry = entry_of(name);
  metric::Settings settings(entry.name, entry.settings);
  for (const auto& [key, value] : values) settings.set(key, value);
  return entry.make(settings);
}

}  // namespace pipeline

std::string alias_notice(std::string_view name) {
  if (name != "cider") return "";
  return "cider means cider-d, what papers call CIDEr; the unclipped variant is cider-plain";
}

std::vector<std::string> default_metrics() {
  return {"bleu", "rouge-l", "cider-d", "meteor", "spice"};
}

std::vector<MetricDescription> list_metrics() {
  std::vector<MetricDescription> descriptions;
  for (const metric::Entry& entry : pipeline::registry()) {
    MetricDescription& description = descriptions.emplace_back();
    description.name = entry.name;
    description.summary = entry.summary;
    const auto metric = pipeline::make_metric(description.name, {});
    for (const metric::ScoreInfo& score : metric->info().scores) {
      if (score.shown != metric::Shown::always) continue;
      description.scores.push_back({score.name, score.high, score.display_scale, ""});
    }
    description.data = metric->info().data;
    for (const metric::SettingInfo& setting : entry.settings) {
      description.settings.push_back(
          {std::string(setting.key), std::string(setting.default_value), std::string(setting.help)});
    }
  }
  return descriptions;
}

std::vector<std::string> available_metrics() {
  const auto lacking = unavailable_metrics();
  std::vector<std::string> names;
  for (const metric::Entry& entry : pipeline::registry()) {
    if (std::ranges::find(lacking, entry.name, &UnavailableMetric::name) == lacking.end())
      names.emplace_back(entry.name);
  }
  return names;
}

std::vector<UnavailableMetric> unavailable_metrics() {
  std::map<std::string, std::string> problems{{"", ""}};
  for (const DataPackage& package : list_data()) problems[package.name] = package.problem;
  const std::string parser = pipeline::parser_problem();
  std::vector<UnavailableMetric> metrics;
  for (const metric::Entry& entry : pipeline::registry()) {
    const std::string name(entry.name);
    const auto metric = pipeline::make_metric(name, {});
    std::string problem = problems.at(metric->info().data);
    if (problem.empty() && pipeline::parses(metric->info())) problem = parser;
    if (!problem.empty()) metrics.push_back({name, std::move(problem)});
  }
  return metrics;
}

}  // namespace capella
