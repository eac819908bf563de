// Whether a path names a regular file: not a folder, and nothing that would be waited for, such as a pipe.
// What cannot be looked at is none.
#pragma once

#include <filesystem>
#include <system_error>

namespace capella {

inline bool is_file(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(path, unknown);
}

}  // namespace capella
