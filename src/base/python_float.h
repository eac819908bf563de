// Floating point numbers as Python's repr() writes them: the shortest text that reads back as the same
// number.
#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace capella {

/// "1.0", "0.5", "1e-05", "1e+16", "inf", "nan"
inline std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".ein") == std::string::npos) text += ".0";
  return text;
}

}  // namespace capella
