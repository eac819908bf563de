// Reads unicode.ranges: named sets of characters and the lower-case partners.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/ptb/tables.h"

namespace capella::text::ptb::compiler {

struct UnicodeData {
  std::map<std::string, std::vector<CodeRange>, std::less<>> sets;
  std::vector<LowerRun> lower;
};

/// Throws std::runtime_error with the line's number if the text is not in the format.
UnicodeData parse_unicode_data(std::string_view text);

}  // namespace capella::text::ptb::compiler
