// SHA-256, by which files from elsewhere are known.
#pragma once

#include <string>
#include <string_view>

namespace capella::resource {

/// 64 hexadecimal digits in lower case.
std::string sha256(std::string_view bytes);

}  // namespace capella::resource
