#include "pipeline/registry.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/names.h"
#include "metric/given.h"

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
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
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
  return {"bleu", "rouge-l", "cider-d", "meteor"};
}

std::vector<MetricDescription> list_metrics() {
  std::vector<MetricDescription> descriptions;
  for (const metric::Entry& entry : pipeline::registry()) {
    MetricDescription& description = descriptions.emplace_back();
    description.name = entry.name;
    description.summary = entry.summary;
    const auto metric = pipeline::make_metric(description.name, {});
    for (const metric::ScoreInfo& score : metric->info().scores) {
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
  std::set<std::string> usable{""};
  for (const DataPackage& package : list_data()) {
    if (package.problem.empty()) usable.insert(package.name);
  }
  std::vector<std::string> names;
  for (const MetricDescription& metric : list_metrics()) {
    if (usable.contains(metric.data)) names.push_back(metric.name);
  }
  return names;
}

}  // namespace capella
