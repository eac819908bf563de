// The tokenizer "13a" of machine translation: sacreBLEU's default, after NIST's mteval-v13a.
#pragma once

#include <string>
#include <string_view>

namespace capella::text {

/// Appends the line's tokens to `out`, joined by single spaces. Case is kept.
void tokenize_13a(std::string_view line, std::string& out);

}  // namespace capella::text
