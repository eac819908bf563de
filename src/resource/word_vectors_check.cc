#include "resource/word_vectors_check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace capella::resource {

std::string vector_problem(std::span<const float> numbers, double longest) {
  double square = 0.0;
  for (const float number : numbers) square += static_cast<double>(number) * static_cast<double>(number);
  if (square <= longest * longest) return "";  // not so if there is a nan
  const auto found = std::ranges::find_if_not(numbers, [](float number) { return std::isfinite(number); });
  if (found != numbers.end()) return fmt::format("has {} among its numbers, expected finite ones", *found);
  return fmt::format("has a vector of length {:.3g}, expected at most {:.3g}", std::sqrt(square), longest);
}

}  // namespace capella::resource
