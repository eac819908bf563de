#include "report/signature_lines.h"

#include <fmt/format.h>

#include "capella/result.h"

namespace capella::report {

std::vector<std::string> signature_lines(std::span<const SignedScore> scores, bool short_form) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < scores.size();) {
    const SignedScore& first = scores[i];
    const std::string_view choices = first.signature.substr(first.name.size());
    std::string names(first.name);
    for (++i; i < scores.size() && scores[i].signature.substr(scores[i].name.size()) == choices; ++i) {
      names += ", ";
      names += scores[i].name;
    }
    const std::string shown = short_form ? short_signature(std::string(choices)) : std::string(choices);
    lines.push_back(names + shown);
    if (first.display_scale != 1.0) lines.back() += fmt::format("  (shown x{})", first.display_scale);
  }
  return lines;
}

}  // namespace capella::report
