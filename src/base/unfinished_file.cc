#include "base/unfinished_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capella/error.h"

namespace capella {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux follows

// What the path means when links are followed, whether or not there is a file yet; never empty.
std::string real_path(const std::string& path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) {
    throw FileError(fmt::format("{}: cannot be opened for writing: {}", path, std::strerror(errno)));
  }
  if (exists && !S_ISREG(status.st_mode)) {
    throw FileError(path + ": is not a regular file; give the path of a file that can be written");
  }
  fs::path meant = path;
  std::error_code problem;
  for (int links = 0; links < kMostLinks && fs::is_symlink(meant, problem); ++links) {
    meant = meant.parent_path() / fs::read_symlink(meant, problem);  // what is absolute replaces the folder
    if (problem) throw FileError(fmt::format("{}: cannot be followed: {}", path, problem.message()));
  }
  return meant.string();
}

// A name beside the path; only what a killed process left behind may have it.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}.{}.part", path, ::getpid(), count++);
}

}  // namespace

SignalHold::SignalHold() {
  sigset_t held;
  ::sigemptyset(&held);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&held, signal);
  ::pthread_sigmask(SIG_BLOCK, &held, &before_);
}

SignalHold::~SignalHold() {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

UnfinishedFile::UnfinishedFile(const std::string& path) : path_(real_path(path)) {
  if (!open_nameless()) open_named();
}

bool UnfinishedFile::open_nameless() {
  const std::string folder = fs::path(path_).parent_path().string();
  descriptor_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return false;
  if (::access("/proc/self/fd", X_OK) == 0) return true;  // through which it gets a name
  ::close(descriptor_);
  return false;
}

void UnfinishedFile::open_named() {
  std::string name;
  do {
    name = temporary_name(path_);
    descriptor_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail("cannot be opened for writing");
  part_ = std::move(name);
}

UnfinishedFile::~UnfinishedFile() {
  if (!part_.empty()) ::unlink(part_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void UnfinishedFile::fail(std::string_view what) const {
  throw FileError(fmt::format("{}: {}: {}", path_, what, std::strerror(errno)));
}

void UnfinishedFile::write(std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void UnfinishedFile::give_name() {
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
  std::string name;
  int status = 0;
  do {
    name = temporary_name(path_);
    status = ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  } while (status != 0 && errno == EEXIST);
  if (status != 0) fail("cannot be given a name");
  part_ = std::move(name);
}

void UnfinishedFile::publish(std::optional<std::chrono::sys_seconds> modified) {
  if (modified) {
    const timespec time{static_cast<std::time_t>(modified->time_since_epoch().count()), 0};
    const timespec times[] = {time, time};  // of the last reading and writing
    if (::futimens(descriptor_, times) != 0) fail("cannot be given a modification time");
  }
  struct stat before {};
  if (::stat(path_.c_str(), &before) == 0) {
    [[maybe_unused]] const int as_before = ::fchmod(descriptor_, before.st_mode & 07777);
  }
  if (::fsync(descriptor_) != 0) fail("cannot be written");
  const SignalHold hold;
  if (part_.empty()) give_name();
  if (std::rename(part_.c_str(), path_.c_str()) != 0) fail("cannot be renamed into place");
  part_.clear();
}

}  // namespace capella
