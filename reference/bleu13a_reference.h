// The tokenizer 13a written with regular expressions, as it is defined.
#pragma once

#include <string>
#include <string_view>

namespace capella::reference {

std::string tokenize_13a(std::string_view line);

}  // namespace capella::reference
