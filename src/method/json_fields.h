// Reading the JSON objects in the headers of models: fields are taken one by one, with clear errors; at the
// end none may be left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/names.h"

namespace capella::method {

/// `where` names the object in errors. Throws DataError, without the file.
class Fields {
 public:
  Fields(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) throw DataError(fmt::format("{} is not a JSON object", where_));
  }

  std::string text(const char* key) {
    const nlohmann::json& value = take(key);
    if (!value.is_string()) wrong(key, "a text");
    return value.get<std::string>();
  }

  std::uint64_t whole(const char* key) {
    const nlohmann::json& value = take(key);
    if (!value.is_number_unsigned()) wrong(key, "a whole number");
    return value.get<std::uint64_t>();
  }

  double number(const char* key) {
    const nlohmann::json& value = take(key);
    if (!value.is_number()) wrong(key, "a number");
    return value.get<double>();
  }

  double number_or_nan(const char* key) {
    const nlohmann::json& value = take(key);
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) wrong(key, "a number or null");
    return value.get<double>();
  }

  bool truth(const char* key) {
    const nlohmann::json& value = take(key);
    if (!value.is_boolean()) wrong(key, "true or false");
    return value.get<bool>();
  }

  std::map<std::string, std::string> texts(const char* key) {
    const nlohmann::json& value = take(key);
    if (!value.is_object()) wrong(key, "an object of texts");
    std::map<std::string, std::string> found;
    for (const auto& [name, text] : value.items()) {
      if (!text.is_string()) wrong(key, "an object of texts");
      found.emplace(name, text.get<std::string>());
    }
    return found;
  }

  const nlohmann::json& take(const char* key) {
    const auto found = object_.find(key);
    if (found == object_.end()) throw DataError(fmt::format("{} has no '{}'", where_, key));
    known_.push_back(key);
    return *found;
  }

  /// Whether there is such a field: of one that older files do not have.
  bool has(const char* key) const { return object_.contains(key); }

  void end() const {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        throw DataError(fmt::format("{} has '{}', which this version does not know", where_, excerpt(key)));
    }
  }

 private:
  [[noreturn]] void wrong(const char* key, const char* expected) const {
    throw DataError(fmt::format("{}: '{}' is not {}", where_, key, expected));
  }

  const nlohmann::json& object_;
  std::string where_;
  std::vector<std::string_view> known_;
};

}  // namespace capella::method
