// METEOR's normaliser, one pass over the text after the other.
#pragma once

#include <string>

#include "reference/meteor_reference_words.h"

namespace capella::reference {

/// Java's trim(), which METEOR does to the parts of its input line.
std::u32string meteor_trim(std::u32string text);

/// The line with its words and punctuation marks set apart; case is kept.
std::u32string meteor_normalize(const std::u32string& line, const MeteorWords& words);

/// Lower case of ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic; other characters stay. A capital sigma
/// never ends a word here, since the normaliser sets Greek letters apart. knows_case() says which characters
/// are right.
std::u32string meteor_lower_case(const std::u32string& text);
bool knows_case(char32_t character);

/// The words that METEOR compares.
MeteorPhrase meteor_words(const std::u32string& line, const MeteorWords& words);

}  // namespace capella::reference
