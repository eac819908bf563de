// Numbers and text as JSON: infinities and not-a-number become strings, since JSON has no words for them.
#pragma once

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

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

/// The document as text. Invalid UTF-8 cannot come in through the readers, but names of systems and ids may
/// be any bytes.
inline std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace capella::report
