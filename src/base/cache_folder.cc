#include "base/cache_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "capella/error.h"

namespace capella {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotMade = "the cache's folder cannot be made";
constexpr std::string_view kNotWritten = "the cache's folder cannot be written";

[[noreturn]] void fail_on_cache(const std::string& path, std::string_view what, int reason = errno) {
  throw FileError(
      fmt::format("{}: {}: {}; name another folder with --cache", path, what, std::strerror(reason)));
}

// The folder, or where it is not there the nearest one above it that is.
fs::path nearest_existing(const std::string& folder) {
  std::error_code error;
  fs::path path = fs::absolute(folder, error);
  while (!fs::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  return path;
}

}  // namespace

void make_cache_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) fail_on_cache(folder, kNotMade, error.value());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail_on_cache(folder, kNotWritten);
}

void check_cache_folder(const std::string& folder) {
  const fs::path path = nearest_existing(folder);
  std::error_code error;
  if (!fs::is_directory(path, error)) fail_on_cache(folder, kNotMade, ENOTDIR);
  if (::access(path.c_str(), W_OK | X_OK) == 0) return;
  const int reason = errno;
  fail_on_cache(folder, fs::exists(folder, error) ? kNotWritten : kNotMade, reason);
}

FileLock::FileLock(const std::string& path)
    : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail_on_cache(path, "cannot be opened");
  int status = 0;
  while ((status = ::flock(descriptor_, LOCK_EX)) != 0 && errno == EINTR) {
  }
  if (status == 0) return;
  ::close(descriptor_);
  fail_on_cache(path, "cannot be locked");
}

FileLock::~FileLock() {
  ::close(descriptor_);
}

}  // namespace capella
