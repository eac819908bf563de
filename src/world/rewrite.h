// Captions with some of their words replaced, written as the caption is: a capital at the start of a
// sentence, capitals throughout where it has nothing else, and "a" or "an" as the next word wants it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella::world {

/// Bytes of a caption and the lower-case words that take their place.
struct Splice {
  std::size_t begin, length;
  std::string text;
};

/// The caption with the splices made, which are given from left to right and do not overlap.
std::string spliced(std::string_view caption, const std::vector<Splice>& splices);

/// ASCII letters, and all bytes of letters beyond.
bool is_letter(char c);

/// Whether there is one; a caption without is written in capitals.
bool has_small_letters(std::string_view text);

}  // namespace capella::world
