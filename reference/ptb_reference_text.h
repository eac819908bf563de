// How the slow tokenizer writes a token.
#pragma once

#include <string>

#include "text/ptb/compiler/grammar.h"
#include "text/ptb/compiler/unicode_data.h"

namespace capella::reference {

/// The token as its rule's actions have it.
std::u16string reference_token_text(const text::ptb::compiler::Rule& rule, std::u16string token);

/// Lower case in UTF-8.
std::string reference_lower_case(const std::u16string& token,
                                 const text::ptb::compiler::UnicodeData& unicode);

}  // namespace capella::reference
