// Python packages that are installed, and those of the network.
#pragma once

#include <string>

#include "resource/packages.h"

namespace capella::resource {

/// What a Python can do for a package.
struct Python {
  std::string program = "python3";
  bool runs = false;
  bool has_pip = false;
  std::string folder;  ///< of the package's distribution, if that is installed; else empty
};

/// Asks the Python that CAPELLA_PYTHON names, else `program`, else python3. It is run isolated: nothing is
/// imported from the working directory.
Python look_at_python(const Package& package, const std::string& program);

/// Lets pip, or uv where that Python has no pip, put the package's distribution into the folder, where
/// temporary files go, too. If `show`, what they write goes to standard error; else into the error. Throws
/// FileError.
void fetch(const Package& package, const Python& python, const std::string& folder, bool show);

}  // namespace capella::resource
