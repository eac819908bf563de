// Messages of the engine name the options of the command line; here they become the package's arguments.
#pragma once

#include <string>
#include <vector>

namespace capella::python {

/// "leave such rows out with --skip-bad" becomes "leave such rows out with skip_bad=True". Only whole words
/// are options, so that names of files stay as they are.
std::string in_python_words(std::string text);
std::vector<std::string> in_python_words(std::vector<std::string> texts);

}  // namespace capella::python
