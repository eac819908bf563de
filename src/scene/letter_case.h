// Lower case for words, which nearly always have it already.
#pragma once

#include <string>
#include <string_view>

namespace capella::scene {

/// As Java's String.toLowerCase has it.
std::string lowered(std::string_view text);

/// As Java's String.trim and then toLowerCase have it.
std::string trimmed_and_lowered(std::string_view text);

/// Whether the word is `lower` but for the case of ASCII letters; `lower` has none in upper case.
bool equals_ignoring_case(std::string_view word, std::string_view lower);

}  // namespace capella::scene
