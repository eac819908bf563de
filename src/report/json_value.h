// Numbers and text as JSON: infinities and not-a-number become strings, since JSON has no words for them.
#pragma once

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace capella::report {

using Json = nlohmann::ordered_json;

inline Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

inline Json number_or_null(double value) {
  return std::isnan(value) ? Json(nullptr) : json_number(value);
}

inline std::string dump(const Json& json, int indent) {
  return json_text(json, indent);
}

}  // namespace capella::report
