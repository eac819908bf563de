// How SPICE compares words: without the case of their letters and without blanks around them.
#pragma once

#include <string>
#include <string_view>

namespace capella::scene {

/// As Java's String.trim and then toLowerCase have it.
std::string trimmed_and_lowered(std::string_view word);

/// Whether the word is `lower` but for the case of ASCII letters; `lower` has none in upper case.
bool equals_ignoring_case(std::string_view word, std::string_view lower);

}  // namespace capella::scene
