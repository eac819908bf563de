#include "metric/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/suggestion.h"

namespace capella::metric {

Settings::Settings(std::string_view metric, std::span<const SettingInfo> known) : metric_(metric) {
  for (const SettingInfo& setting : known) values_.emplace(setting.key, setting.default_value);
}

void Settings::set(std::string_view key, std::string_view value) {
  const auto place = values_.find(key);
  if (place == values_.end()) {
    if (values_.empty())
      throw UsageError(fmt::format("{} has no settings, so {}.{} cannot be set", metric_, metric_, key));
    std::vector<std::string_view> keys;
    for (const auto& [name, unused] : values_) keys.push_back(name);
    throw UsageError(unknown_name_message(fmt::format("setting of {}", metric_), key, keys));
  }
  place->second = value;
  given_.emplace(key);
}

bool Settings::given(std::string_view key) const {
  return given_.contains(key);
}

const std::string& Settings::text(std::string_view key) const {
  return values_.find(key)->second;
}

double Settings::number(std::string_view key, double low, double high) const {
  const std::string& value = text(key);
  double number = std::nan("");
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = error == std::errc{} && end == value.data() + value.size();
  if (!whole || !(number >= low && number <= high))
    reject(key, fmt::format("a number from {} to {}", low, high));
  return number;
}

int Settings::integer(std::string_view key, int low, int high) const {
  const double value = number(key, low, high);
  if (value != std::floor(value)) reject(key, fmt::format("a whole number from {} to {}", low, high));
  return static_cast<int>(value);
}

bool Settings::flag(std::string_view key) const {
  constexpr std::string_view kChoices[] = {"no", "yes", "false", "true"};
  return choice(key, kChoices) % 2 == 1;
}

std::size_t Settings::choice(std::string_view key, std::span<const std::string_view> choices) const {
  const auto place = std::find(choices.begin(), choices.end(), text(key));
  if (place == choices.end())
    reject(key, fmt::format("one of {}{}", fmt::join(choices, ", "), did_you_mean(text(key), choices)));
  return static_cast<std::size_t>(place - choices.begin());
}

void Settings::reject(std::string_view key, std::string_view expected) const {
  throw UsageError(fmt::format("{}.{}: found '{}', expected {}", metric_, key, text(key), expected));
}

}  // namespace capella::metric
