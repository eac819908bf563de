// The metrics of this layer: one row each. Command line, help, documentation checks and tests go by this
// list.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

struct Entry {
  std::string_view name;
  std::string_view summary;
  std::span<const SettingInfo> settings;
  std::unique_ptr<Metric> (*make)(const Settings& settings);
};

std::span<const Entry> all_metrics();

}  // namespace capella::metric
