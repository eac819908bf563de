// Captions to words for the parser: by the rules of 2015, in the case they stand in, punctuation included.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella::text::ptb {

/// The words of each caption, lexed alone. Line breaks inside a caption are spaces.
std::vector<std::vector<std::string>> words_of(std::span<const std::string_view> captions);

}  // namespace capella::text::ptb
