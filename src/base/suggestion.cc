#include "base/suggestion.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/names.h"

namespace capella {

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongest = 100;  // a slip in more than that is not looked for
  constexpr std::size_t kShortestBeginning = 3;
  if (name.size() > kLongest) return "";
  std::vector<std::string_view> likely, longer;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    likely.push_back(candidate);
    if (name.size() >= kShortestBeginning && candidate.starts_with(name)) longer.push_back(candidate);
  }
  std::string_view meant = nearest_name(name, likely);
  if (meant.empty() && !longer.empty())
    meant = *std::ranges::min_element(longer, {}, &std::string_view::size);
  if (meant.empty()) {
    std::vector<std::string> lower;
    for (const std::string_view one : likely) lower.push_back(lowered_ascii(one));
    const std::vector<std::string_view> views(lower.begin(), lower.end());
    const auto found = std::ranges::find(views, nearest_name(lowered_ascii(name), views));
    if (found != views.end()) meant = likely[static_cast<std::size_t>(found - views.begin())];
  }
  return meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant);
}

}  // namespace capella
