// Modification times of files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/temp_dir.h"

namespace capella::test {

/// Writes a file that seems not to have been written since `like` was.
inline std::string write_unnoticed(const TempDir& folder, const std::string& name, std::string_view content,
                                   const std::string& like) {
  const std::string path = folder.write(name, content);
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(like));
  return path;
}

}  // namespace capella::test
