// Folders that keep what was computed for later runs, and locks for the files in them.
#pragma once

#include <string>

namespace capella {

/// Makes the folder if it is not there. Throws FileError if it cannot be made or written.
void make_cache_folder(const std::string& folder);

/// Throws FileError if make_cache_folder would; makes nothing.
void check_cache_folder(const std::string& folder);

/// Held while a file is read, extended or replaced, so that of two processes neither loses what it added. The
/// lock is a file of its own, since the file itself may be replaced; it goes with the process.
class FileLock {
 public:
  /// Waits for whoever holds it. Throws FileError.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace capella
