// Lower case as Java's String.toLowerCase has it in English, with the characters of Unicode 6.3.
#pragma once

#include <string>
#include <string_view>

namespace capella::text {

/// The lower-case partner, or the character itself.
char32_t lower_case(char32_t c);

/// Appends the lower-case form of `text` as UTF-8. Beyond the partners: U+0130 becomes i and U+0307, and a
/// capital sigma that ends a word becomes the final sigma. Pairs of surrogates become one character.
void append_lower_case(std::string& out, std::u16string_view text);
void append_lower_case(std::string& out, std::u32string_view text);

/// The lower-case form of UTF-8; quick where all is ASCII.
std::string lowered(std::string_view text);

}  // namespace capella::text
