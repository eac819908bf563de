// Headword chain matching from its definition: lists of chains as lists of strings.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace capella::reference {

using ParsedText = std::vector<syntax::Tree>;

struct HwcmOptions {
  bool labels = false;    ///< chains of relations instead of lemmas
  bool by_value = false;  ///< links are joined where strings are equal, not where words are the same
};

/// All chains of 1 ... 4 words of a text; lemmas must be ASCII.
std::array<std::vector<std::vector<std::string>>, 4> headword_chains(const ParsedText& text,
                                                                     const HwcmOptions& options);

/// HWCM-1 ... HWCM-4 of a caption, each the best over the references.
std::array<double, 4> hwcm(const ParsedText& caption, const std::vector<ParsedText>& references,
                           const HwcmOptions& options);

}  // namespace capella::reference
