// Files of a benchmark in the layout of another: people mistake the name, not the file.
#pragma once

#include <string>
#include <string_view>

namespace capella::io {

/// What to say of a file, or folder, that could not be read in a layout: that it has nothing of it, what it
/// has instead, and whose layout that is. Empty if it has some of it, so that it is rather damaged, or if
/// there is nothing to say.
std::string layout_doubt(std::string_view layout, const std::string& path);

}  // namespace capella::io
