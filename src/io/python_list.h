// A list of strings as Python prints it: ['a dog', "it's a dog"]. Tables that pandas writes hold such cells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace capella::io {

/// Reads the literal, with all escapes of a Python string but \N{...}. False if it is no list of strings.
bool parse_python_list(std::string_view literal, std::vector<std::string>& strings);

}  // namespace capella::io
