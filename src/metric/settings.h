// A metric's settings, as given with --set METRIC.KEY=VALUE.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace capella::metric {

/// One row per setting: it yields the default, the check for unknown keys and the help.
struct SettingInfo {
  std::string_view key;
  std::string_view default_value;
  std::string_view help;
  /// If it has no default: what messages write for a value, e.g. "DIR". A run that does not set it is
  /// refused.
  std::string_view required = {};
};

class Settings {
 public:
  Settings(std::string_view metric, std::span<const SettingInfo> known);

  const std::string& metric() const { return metric_; }

  /// Throws UsageError for a key the metric does not have.
  void set(std::string_view key, std::string_view value);

  bool given(std::string_view key) const;  ///< rather than the default
  const std::string& text(std::string_view key) const;
  /// The value as a number; throws UsageError unless low <= value <= high.
  double number(std::string_view key, double low, double high) const;
  int integer(std::string_view key, int low, int high) const;
  bool flag(std::string_view key) const;  ///< yes or no, true or false
  /// The value's place among `choices`; throws UsageError if it is none of them.
  std::size_t choice(std::string_view key, std::span<const std::string_view> choices) const;

 private:
  [[noreturn]] void reject(std::string_view key, std::string_view expected) const;

  std::string metric_;
  std::map<std::string, std::string, std::less<>> values_;
  std::set<std::string, std::less<>> given_;
};

}  // namespace capella::metric
