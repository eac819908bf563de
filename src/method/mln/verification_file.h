// The verdicts on captions as JSON: results.json, which `mln infer` writes and `mln report` reads.
#pragma once

#include <string>

#include "capella/mln.h"

namespace capella::method::mln {

std::string write_verification(const Verification& verification);
/// Throws DataError that names the file for what is none.
Verification parse_verification(const std::string& text, const std::string& path);

}  // namespace capella::method::mln
