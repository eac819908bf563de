// Named and numbered characters of HTML ("&eacute;", "&#233;") as text.
#pragma once

#include <string>
#include <string_view>

namespace capella::encoder {

/// As Python's html.unescape() has it, so that "&amp" and "&ampersand" begin with "&" too.
std::string unescape_html(std::string_view text);

/// Only what ends with a semicolon and is known; the rest stays.
std::string unescape_closed_html(std::string_view text);

}  // namespace capella::encoder
