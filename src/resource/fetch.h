// Python packages from the network.
#pragma once

#include <string>

#include "resource/packages.h"

namespace capella::resource {

/// Lets pip put the package's distribution into the folder, where pip also keeps its temporary files. If
/// `show`, pip writes to standard error; else what it says goes into the error. Throws FileError.
void fetch_with_pip(const Package& package, const std::string& folder, bool show);

}  // namespace capella::resource
