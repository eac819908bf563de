// What tokenizers of encoders ask of Unicode: classes of characters, lower case and normal forms, from
// utf8proc's tables. Text is UTF-8; what is not decodes to U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace capella::encoder {

bool is_ascii(std::string_view text);

bool is_letter(char32_t c);       ///< \p{L}
bool is_number(char32_t c);       ///< \p{N}
bool is_space(char32_t c);        ///< \s: White_Space
bool is_punctuation(char32_t c);  ///< \p{P}
bool is_accent(char32_t c);       ///< \p{Mn}: marks that take no room of their own
/// Controls, formats and private use: not for people to read.
bool is_control(char32_t c);

/// The same text with U+FFFD for bytes that are no UTF-8.
std::string valid_utf8(std::string_view text);

/// Canonical composition and decomposition, and composition by compatibility; the text must be valid.
std::string nfc(std::string_view text);
std::string nfd(std::string_view text);
std::string nfkc(std::string_view text);

/// Lower case character by character: a final sigma is no exception, and U+0130 becomes i and U+0307.
std::string lower_each(std::string_view text);
/// Lower case as Python's str.lower() has it: a sigma that ends its word becomes the final one.
std::string lower_python(std::string_view text);

/// The text without the white space at its ends, as Python's str.strip() has it.
std::string_view python_strip(std::string_view text);

}  // namespace capella::encoder
