// Signatures as footnotes of a table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella::report {

struct SignedScore {
  std::string_view name;
  std::string_view signature;  ///< begins with the name
  double display_scale = 1;
};

/// One line per signature; neighbours that differ in name alone share a line: "BLEU-1, BLEU-2|ref:closest".
/// A scale other than 1 is told behind it.
std::vector<std::string> signature_lines(std::span<const SignedScore> scores, bool short_form);

}  // namespace capella::report
