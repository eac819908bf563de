// Numbers as JSON: infinities and not-a-number become strings, since JSON has no words for them.
#pragma once

#include <cmath>

#include <nlohmann/json.hpp>

namespace capella::report {

using Json = nlohmann::ordered_json;

inline Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

}  // namespace capella::report
