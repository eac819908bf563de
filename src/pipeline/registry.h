// The one list of metrics a user can ask for, made of each layer's list.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metric/list.h"

namespace capella::pipeline {

/// Settings by metric name, then key.
using SettingsByMetric = std::map<std::string, std::map<std::string, std::string>>;

std::span<const metric::Entry> registry();

/// Reads `METRIC.KEY=VALUE` words; throws UsageError for another shape or an unknown metric.
SettingsByMetric parse_settings(std::span<const std::string> words);

/// Whether a name the user typed is the path of a trained metric.
bool is_model_file(std::string_view name);

/// The file of a learned metric that the user named: "text-minilm", which comes with Capella, or a path.
std::string learned_model(const std::string& name);

/// The metric's own name for a name the user typed ("cider" is "cider-d"); throws UsageError with the nearest
/// name.
std::string canonical_name(std::string_view name);

/// Makes a metric of the registry, one of given scores ("given:NAME"), or one that was trained (a path).
std::unique_ptr<metric::Metric> make_metric(const std::string& name,
                                            const std::map<std::string, std::string>& settings);

}  // namespace capella::pipeline
